import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** The User Management Service on the JDK, 17 or later. The environment gives API_KEY, and PORT instead of 3000. */
public class Service {
    record User(String id, String email, String name) {
        String json() {
            String[] values = {Json.quote(id), Json.quote(email), Json.quote(name)};
            return "{\"id\":%s,\"email\":%s,\"name\":%s}".formatted((Object[]) values);
        }
    }

    record Answer(int status, String body, Map<String, String> headers) {
        static Answer of(int status, String body) {
            return new Answer(status, body, Map.of());
        }

        static Answer error(int status, String message) {
            return of(status, "{\"error\":" + Json.quote(message) + "}");
        }
    }

    static final Pattern BEARER = Pattern.compile("bearer +(.+)", Pattern.CASE_INSENSITIVE);
    static final int BODY_LIMIT = 100_000;

    final Map<String, User> users = new ConcurrentHashMap<>();
    final byte[] key;

    Service(String key) {
        this.key = key.getBytes(StandardCharsets.UTF_8);
    }

    public static void main(String[] args) throws IOException {
        String key = System.getenv("API_KEY");
        if (key == null || key.isEmpty()) throw new IllegalStateException("API_KEY is not set");
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        // Without it the second piece of an answer waits for the peer to acknowledge the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 128);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", new Service(key)::handle);
        server.start();
        System.out.println("http://127.0.0.1:" + port + "/v1");
    }

    void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (RuntimeException error) {
                error.printStackTrace();
                answer = Answer.error(500, "the service has failed");
            }
            byte[] content = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(answer.status(), content.length);
            exchange.getResponseBody().write(content);
        }
    }

    Answer answer(HttpExchange exchange) throws IOException {
        if (!isAuthorised(exchange.getRequestHeaders().getFirst("Authorization"))) {
            return new Answer(401, "{\"error\":\"the key is missing or wrong\"}", Map.of("WWW-Authenticate", "Bearer"));
        }
        String path = exchange.getRequestURI().getPath();
        String route = exchange.getRequestMethod() + " " + (path == null ? "" : path);
        if (route.equals("GET /v1/users")) return list();
        if (route.equals("POST /v1/users")) return create(exchange.getRequestBody().readNBytes(BODY_LIMIT + 1));
        if (route.startsWith("GET /v1/users/")) return retrieve(route.substring("GET /v1/users/".length()));
        return Answer.error(404, "no such address");
    }

    boolean isAuthorised(String authorization) {
        var bearer = BEARER.matcher(authorization == null ? "" : authorization);
        // In the same time whatever was sent, so that the time tells nothing of the key.
        return bearer.matches() && MessageDigest.isEqual(bearer.group(1).getBytes(StandardCharsets.UTF_8), key);
    }

    Answer list() {
        List<User> all = List.copyOf(users.values());
        String data = String.join(",", all.stream().map(User::json).toList());
        return Answer.of(200, "{\"data\":[%s],\"total\":%d}".formatted(data, all.size()));
    }

    Answer create(byte[] body) {
        if (body.length > BODY_LIMIT) return Answer.error(413, "the body is too large");
        Object sent;
        try {
            sent = Json.parse(body);
        } catch (IllegalArgumentException | IOException error) {
            return Answer.error(400, "the body is no JSON");
        }
        Map<?, ?> members = sent instanceof Map<?, ?> object ? object : Map.of();
        if (!(members.get("email") instanceof String email && members.get("name") instanceof String name)) {
            return Answer.error(400, "email and name must be strings");
        }
        User user = new User(UUID.randomUUID().toString(), email, name);
        users.put(user.id(), user);
        return new Answer(201, user.json(), Map.of("Location", "/v1/users/" + user.id()));
    }

    Answer retrieve(String id) {
        User user = users.get(id);
        return user == null ? Answer.error(404, "no such user") : Answer.of(200, user.json());
    }

    /** JSON (RFC 8259), which the JDK does not know: objects are Maps, arrays Lists, numbers Doubles. */
    static final class Json {
        private static final int DEPTH = 100;
        private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        static Object parse(byte[] utf8) throws IOException {
            Json json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
            Object value = json.value(0);
            json.skipSpace();
            if (json.at < json.text.length()) throw json.malformed();
            return value;
        }

        static String quote(String value) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char one : value.toCharArray()) {
                if (one == '"' || one == '\\') quoted.append('\\').append(one);
                else if (one < ' ' || Character.isSurrogate(one)) quoted.append("\\u%04x".formatted((int) one));
                else quoted.append(one);
            }
            return quoted.append('"').toString();
        }

        private Object value(int depth) {
            skipSpace();
            if (depth > DEPTH) throw malformed();
            return switch (peek()) {
                case '{' -> object(depth);
                case '[' -> array(depth);
                case '"' -> string();
                default -> scalar();
            };
        }

        private Map<String, Object> object(int depth) {
            Map<String, Object> members = new HashMap<>();
            take('{');
            if (takeIf('}')) return members;
            do {
                skipSpace();
                String name = string();
                take(':');
                members.put(name, value(depth + 1));
            } while (takeIf(','));
            take('}');
            return members;
        }

        private List<Object> array(int depth) {
            List<Object> items = new ArrayList<>();
            take('[');
            if (takeIf(']')) return items;
            do items.add(value(depth + 1));
            while (takeIf(','));
            take(']');
            return items;
        }

        private Object scalar() {
            for (String word : List.of("true", "false", "null")) {
                if (text.startsWith(word, at)) {
                    at += word.length();
                    return word.equals("null") ? null : Boolean.valueOf(word);
                }
            }
            var number = NUMBER.matcher(text).region(at, text.length());
            if (!number.lookingAt()) throw malformed();
            at = number.end();
            return Double.valueOf(number.group());
        }

        private String string() {
            StringBuilder value = new StringBuilder();
            take('"');
            while (peek() != '"') {
                char one = next();
                if (one < ' ') throw malformed();
                value.append(one == '\\' ? escaped() : one);
            }
            take('"');
            return value.toString();
        }

        private char escaped() {
            char one = next();
            int known = "\"\\/bfnrt".indexOf(one);
            if (known >= 0) return "\"\\/\b\f\n\r\t".charAt(known);
            if (one != 'u' || at + 4 > text.length()) throw malformed();
            String digits = text.substring(at, at += 4);
            if (!digits.matches("[0-9a-fA-F]{4}")) throw malformed();
            return (char) Integer.parseInt(digits, 16);
        }

        private void skipSpace() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        private char peek() {
            if (at == text.length()) throw malformed();
            return text.charAt(at);
        }

        private char next() {
            peek();
            return text.charAt(at++);
        }

        private boolean takeIf(char wanted) {
            skipSpace();
            if (peek() != wanted) return false;
            at++;
            return true;
        }

        private void take(char wanted) {
            if (wanted == '"' ? next() != wanted : !takeIf(wanted)) throw malformed();
        }

        private IllegalArgumentException malformed() {
            return new IllegalArgumentException("malformed at " + at);
        }
    }
}
