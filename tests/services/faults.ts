import type { ServerResponse } from 'node:http';
import type { Patch, Reply } from './service.ts';

/** A fault of the network or a gateway that a request or its response meets. */
export type Fault = 'reset' | 'silence' | 'half' | 502 | 503 | 504;

export const FAULTS: Fault[] = ['reset', 'silence', 'half', 502, 503, 504];

/** The moment of a fault: before the service carries the request out, or after. */
export type Moment = 'before' | 'after';

export const MOMENTS: Moment[] = ['before', 'after'];

/** The requests that reached a service. */
export interface Received {
  requests: number;
  /** The bodies of valid creations, in the order of arrival. */
  creations: string[];
}

/**
 * Makes a service lose the requests or responses for which `isDue` returns true; the first request
 * is number 1.
 */
export function faulty(
  fault: Fault,
  moment: Moment,
  isDue: (request: number) => boolean,
): { patch: Patch; received: Received } {
  const received: Received = { requests: 0, creations: [] };
  const patch: Patch = (service) => {
    const lost = new WeakSet<Reply>();
    const { handle, write } = service;
    service.handle = async (request) => {
      received.requests += 1;
      const isFaulty = isDue(received.requests);
      const isCreation = request.method === 'POST' && service.authorised(request);
      if (isCreation && !('error' in service.parse(request.body)))
        received.creations.push(request.body);
      const isCarriedOut = !isFaulty || moment === 'after';
      // A copy: a service may send the same reply to several requests.
      const reply = isCarriedOut ? { ...(await handle(request)) } : { status: 200 };
      if (isFaulty) lost.add(reply);
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
  return { patch, received };
}

/** Sends the beginning of a list and closes the connection. */
function writeHalf(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"da', () => response.socket?.destroy());
}

/** Returns a generator of random numbers from 0 up to but not including 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
