import type { ServerResponse } from 'node:http';
import type { Patch, Reply } from './service.ts';

/** What happens to one request on its way, or to its response. */
export type Fault = 'reset' | 'silence' | 'half' | 502 | 503 | 504;

export const FAULTS: Fault[] = ['reset', 'silence', 'half', 502, 503, 504];

/** Whether that happens before the service carries the request out, or after. */
export type Moment = 'before' | 'after';

export const MOMENTS: Moment[] = ['before', 'after'];

/** What the service has got. */
export interface Got {
  requests: number;
  /** The bodies of POSTs of which it can make a user, in the order of arrival. */
  creations: string[];
}

/** A service behind something that loses requests or answers: `isDue` says which, by their number from 1 on. */
export function faulty(
  fault: Fault,
  moment: Moment,
  isDue: (request: number) => boolean,
): { patch: Patch; got: Got } {
  const got: Got = { requests: 0, creations: [] };
  const patch: Patch = (service) => {
    const lost = new WeakSet<Reply>();
    const { handle, write } = service;
    service.handle = async (request) => {
      got.requests += 1;
      const due = isDue(got.requests);
      const isCreation = request.method === 'POST' && service.authorised(request);
      if (isCreation && !('error' in service.parse(request.body))) got.creations.push(request.body);
      const reply = due && moment === 'before' ? { status: 200 } : { ...(await handle(request)) };
      if (due) lost.add(reply);
      return reply;
    };
    service.write = (response, reply, request) => {
      if (!lost.has(reply)) write(response, reply, request);
      else if (fault === 'reset') response.socket?.resetAndDestroy();
      else if (fault === 'half') writeHalf(response);
      else if (fault !== 'silence')
        response.writeHead(fault, { 'content-type': 'text/html' }).end('<h1>Gateway</h1>');
    };
  };
  return { patch, got };
}

/** The beginning of a list, and then the end of the connection. */
function writeHalf(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"da', () => response.socket?.destroy());
}

/** Random numbers by a seed, from 0 up to but not including 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
