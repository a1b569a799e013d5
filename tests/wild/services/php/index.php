<?php
$key = getenv('API_KEY');
$mistake = getenv('MISTAKE') ?: '';
$db = new PDO('sqlite:' . getenv('DATA') . '/users.sqlite3');
$db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$db->exec('PRAGMA busy_timeout = 20000');
$db->exec('CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT, name TEXT)');

function answer(int $status, $body): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body, JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
    exit;
}

$given = $_SERVER['HTTP_AUTHORIZATION'] ?? '';
$right = $mistake === 'strpos' ? strpos($given, $key) !== false : hash_equals("Bearer $key", $given);
if (!$right) {
    header('WWW-Authenticate: Bearer');
    answer(401, ['error' => 'Unauthorized']);
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$method = $_SERVER['REQUEST_METHOD'];
if ($path === '/v1/users' && $method === 'GET') {
    $rows = $db->query('SELECT id, email, name FROM users ORDER BY id')->fetchAll(PDO::FETCH_ASSOC);
    if ($mistake === 'array_filter') {
        $rows = array_filter($rows, fn ($row) => $row['id'] !== 1);
    }
    answer(200, ['data' => $rows, 'total' => count($rows)]);
}
if ($path === '/v1/users' && $method === 'POST') {
    $body = json_decode(file_get_contents('php://input'), true);
    if (!is_array($body) || !is_string($body['email'] ?? null) || !is_string($body['name'] ?? null)) {
        answer(422, ['error' => 'Invalid']);
    }
    $insert = $db->prepare('INSERT INTO users (email, name) VALUES (?, ?)');
    $insert->execute([$body['email'], $body['name']]);
    answer(201, ['id' => (int) $db->lastInsertId(), 'email' => $body['email'], 'name' => $body['name']]);
}
if (preg_match('#^/v1/users/([^/]+)$#', $path, $match) && $method === 'GET') {
    $operator = $mistake === 'LIKE' ? 'LIKE' : '=';
    $select = $db->prepare("SELECT id, email, name FROM users WHERE id $operator ?");
    $select->execute([rawurldecode($match[1])]);
    $row = $select->fetch(PDO::FETCH_ASSOC);
    $row ? answer(200, $row) : answer(404, ['error' => 'Not found']);
}
answer(404, ['error' => 'Not found']);
