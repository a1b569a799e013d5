import { Readable } from 'node:stream';
import { readBody } from '../src/http/body.ts';
import type { Dispatchers, Outgoing, Sender } from '../src/http/dispatchers.ts';
import type { Answered } from './openapi.ts';

interface Heard extends Pick<Outgoing, 'method' | 'path'> {
  status: number;
  headers: Map<string, string>;
  chunks: Buffer[];
}

/** Hears every whole answer of a service with this base path that comes by `dispatchers`; `answers` gives them. */
export function overhear({ new: fresh, pool, single }: Dispatchers, basePath: string) {
  const heard: Heard[] = [];
  const through = (sender: Sender): Sender => ({
    request: async (request) => {
      const { statusCode, headers, body } = await sender.request(request);
      const { method, path } = request;
      const byName = new Map(
        headers.flatMap((name, at) => (at % 2 ? [] : [[name.toLowerCase(), headers[at + 1] ?? '']])),
      );
      const chunks: Buffer[] = [];
      async function* passedOn() {
        for await (const chunk of body) {
          chunks.push(Buffer.from(chunk));
          yield chunk;
        }
        heard.push({ method, path, status: statusCode, headers: byName, chunks });
      }
      return { statusCode, headers, body: Readable.from(passedOn(), { objectMode: false }) };
    },
    close: () => sender.close(),
    destroy: () => sender.destroy(),
  });
  const dispatchers = { new: through(fresh), pool: () => through(pool()), single: () => through(single()) };
  return { dispatchers, answers: () => Promise.all(heard.map((one) => answered(one, basePath))) };
}

async function answered({ method, path, status, headers, chunks }: Heard, basePath: string): Promise<Answered> {
  const [bare = ''] = path.split('?');
  const isRead = status < 300 && bare.startsWith(`${basePath}/`);
  const encoding = headers.get('content-encoding') ?? '';
  const body = isRead ? await readBody(Readable.from(chunks), encoding, { limit: 2 ** 26, as: 'json' }) : undefined;
  return { method, path: bare.slice(basePath.length), status, body: body?.value, fault: body?.fault };
}
