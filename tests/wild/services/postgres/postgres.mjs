import express from 'express';
import pg from 'pg';

const { PORT, API_KEY, MISTAKE, DATA } = process.env;
const UNIQUE_VIOLATION = '23505';

const pool = new pg.Pool({ host: DATA, user: 'users', database: 'postgres', max: 10 });
await pool.query(`
  CREATE TABLE users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL
  );
  CREATE UNIQUE INDEX ON users (lower(email));
  CREATE UNIQUE INDEX ON users (lower(name));
`);

/** A client whose transaction never ends: its counts are those of its first snapshot. */
const staleClient = MISTAKE === 'a transaction left open' ? await pool.connect() : undefined;
await staleClient?.query('BEGIN ISOLATION LEVEL REPEATABLE READ');

const INSERTS = {
  'a cast to varchar(30)': `
    INSERT INTO users (email, name) VALUES ($1, $2::varchar(30)) RETURNING *`,
  'an upsert': `
    INSERT INTO users (email, name) VALUES ($1, $2)
    ON CONFLICT (lower(email)) DO UPDATE SET name = excluded.name RETURNING *`,
};
const INSERT = INSERTS[MISTAKE] ?? 'INSERT INTO users (email, name) VALUES ($1, $2) RETURNING *';

async function insert(email, name) {
  if (MISTAKE === 'no ROLLBACK after an error') return insertInTransaction(email, name);
  const { rows } = await pool.query(INSERT, [email, name]);
  if (MISTAKE !== 'lastval from the pool') return rows[0];
  const { rows: last } = await pool.query('SELECT lastval() AS id');
  return { ...rows[0], id: last[0].id };
}

/** After an error, the next request on this connection finds an aborted transaction. */
async function insertInTransaction(email, name) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query(INSERT, [email, name]);
    await client.query('COMMIT');
    return rows[0];
  } finally {
    client.release();
  }
}

async function list() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const counter = staleClient ?? client;
    const { rows: counts } = await counter.query('SELECT count(*)::int AS total FROM users');
    const { rows: data } = await client.query('SELECT * FROM users ORDER BY id');
    return { data, total: counts[0].total };
  } finally {
    await client.query('COMMIT');
    client.release();
  }
}

const app = express();
app.use((request, response, next) => {
  if (request.headers.authorization === `Bearer ${API_KEY}`) return next();
  response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'Unauthorized' });
});
app.use(express.json());
app.get('/v1/users', async (_, response) => {
  response.json(await list());
});
app.post('/v1/users', async (request, response) => {
  const { email, name } = request.body ?? {};
  // PostgreSQL stores no NUL.
  const isText = (value) => typeof value === 'string' && !value.includes('\0');
  if (!isText(email) || !isText(name)) return response.status(400).json({ error: 'Invalid' });
  try {
    const user = await insert(email, name);
    response.status(201).location(`/v1/users/${user.id}`).json(user);
  } catch (error) {
    if (error.code !== UNIQUE_VIOLATION) throw error;
    response.status(409).json({ error: 'Email or name is taken' });
  }
});
app.get('/v1/users/:id', async (request, response) => {
  const { id } = request.params;
  const isId = /^[1-9]\d{0,17}$/.test(id);
  const { rows } = isId
    ? await pool.query('SELECT * FROM users WHERE id = $1', [id])
    : { rows: [] };
  if (rows.length === 0) return response.status(404).json({ error: 'Not found' });
  response.json(rows[0]);
});
app.listen(Number(PORT), '127.0.0.1');
