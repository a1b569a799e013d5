import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { listen, type Running } from './listen.ts';

/**
 * Starts a second, independent implementation of the document. It conforms with integer
 * identifiers, envelopes, pages, 403 for every rejected key, and its own format of errors.
 */
export function startSecondService(): Promise<Running> {
  const apiKey = '2nd~Reading+of/the.Document==';
  const rows: { email: string; name: string }[] = [];
  const recordOf = (number: number) => ({ number, ...rows[number - 1], _type: 'user' });

  const server = createServer(async (request, response) => {
    const respond = (status: number, body?: unknown) => {
      response.statusCode = status;
      response.setHeader('Content-Type', 'application/json;charset=UTF-8');
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    const reject = (status: number, title: string) => respond(status, { problems: [{ title }] });

    // A client that aborts its request needs no response.
    const text = await textOf(request).catch(() => undefined);
    if (text === undefined) return void response.destroy();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const route = `${request.method} ${pathname.replace(/(?<=^\/v1\/users\/)[^/]+$/, '*')}`;

    if (request.headers.authorization !== `Bearer ${apiKey}`) return reject(403, 'no access');
    if (route === 'GET /v1/users') {
      const page = Math.max(1, Number(searchParams.get('page')) || 1);
      const data = rows.map((_, index) => recordOf(index + 1)).slice((page - 1) * 20, page * 20);
      return respond(200, { total: rows.length, page, data });
    }
    if (route === 'POST /v1/users') {
      const user = parse(text);
      if (user === undefined) return reject(422, 'email and name are needed');
      return respond(200, { result: { number: rows.push(user) } });
    }
    if (route === 'GET /v1/users/*') {
      const number = /^[1-9]\d*$/.test(pathname.slice(10)) ? Number(pathname.slice(10)) : 0;
      return rows[number - 1] === undefined
        ? reject(404, 'no such user')
        : respond(200, { result: recordOf(number) });
    }
    return reject(404, 'no such route');
  });
  return listen(server, '/v1', apiKey);
}

function parse(text: string): { email: string; name: string } | undefined {
  try {
    const { email, name } = JSON.parse(text);
    return [email, name].every((value) => typeof value === 'string') ? { email, name } : undefined;
  } catch {
    return undefined;
  }
}
