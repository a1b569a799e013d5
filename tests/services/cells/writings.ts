import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Request } from '../../../src/http/exchange.ts';
import type { MakeSender, Sender } from '../../../src/http/senders.ts';
import type { Patch } from '../service.ts';

/** Marks a request of a case on its way: what only the wire shows, a service in this process does not see. */
const MARK = 'x-cell';

const USUAL = { accept: 'application/json', authorization: 'Bearer' };

/**
 * Whether a request on the wire is what a case writes: by the names and values of its headers, its framing and its
 * body.
 */
function isWritten(
  write: (request: Request) => Request,
  { method, path, headers, body }: Dispatcher.RequestOptions,
): boolean {
  const sent = headers as Record<string, string>;
  const text = typeof body === 'string' ? body : undefined;
  const usualBody = bodyAsUsual(text);
  const json = method === 'POST' ? { 'content-type': 'application/json' } : {};
  const usual: Request = {
    method: method as Request['method'],
    path,
    headers: { ...USUAL, ...json },
    ...(method === 'POST' && { body: usualBody ?? '{"email":"","name":""}' }),
  };
  const one = write(usual);
  const outline = (all: Record<string, string>) =>
    Object.entries(all)
      .filter(([name]) => !/^(content-length|user-agent)$/i.test(name))
      .map(([name, value]) => `${name}: ${/^(authorization|idempotency-key)$/i.test(name) ? '' : value}`)
      .sort()
      .join('\n');
  const framing = body === null || text !== undefined ? undefined : sent['content-length'] ? 'packets' : 'chunked';
  const isBody =
    usualBody === undefined || one.body === usual.body ? text === usual.body || framing : text === one.body;
  // Users who are created at the same moment have the last bytes of their bodies held back.
  const isFramed = framing === one.framing || (framing === 'packets' && one.framing === undefined);
  return outline(sent) === outline(one.headers) && isFramed && Boolean(isBody || method === 'GET');
}

/** The user in a body, as the usual request has it. */
function bodyAsUsual(text: string | undefined): string | undefined {
  try {
    const { email, name } = JSON.parse(text ?? '');
    return JSON.stringify({ email, name });
  } catch {
    return undefined;
  }
}

/** Reaches a service by requests that carry the mark where they are of a case. */
export function marking(makeSender: MakeSender, operation: RegExp, write: (request: Request) => Request): MakeSender {
  const through = (sender: Sender): Sender => ({
    request: async (options) => {
      await setImmediate();
      const isIt = operation.test(`${options.method} ${options.path}`) && isWritten(write, options);
      return sender.request(isIt ? { ...options, headers: { ...options.headers, [MARK]: '1' } } : options);
    },
    close: () => sender.close(),
    destroy: () => sender.destroy(),
  });
  return (connection) => through(makeSender(connection));
}

/** Refuses what carries the mark. */
export const refusesMarked: Patch = (service) => {
  const { handle } = service;
  service.handle = (request) => {
    const isRefused = request.headers[MARK] && service.authorised(request);
    return isRefused ? { status: 406, body: { error: 'not like this' } } : handle(request);
  };
};

/** Whether a case differs from the usual request in more than its connection, which no single service can refuse. */
export function isWriting(write: ((request: Request) => Request) | undefined): boolean {
  if (write === undefined) return false;
  const usual: Request = { method: 'POST', path: '/', headers: USUAL, body: '{"email":"ab","name":"cd"}' };
  const { connection: _, ...one } = write(usual);
  return JSON.stringify(one) !== JSON.stringify(usual);
}
