import type { ShownExchange } from '../http/exchange.ts';
import { inertJson } from './text.ts';

/** Bytes that the exchanges of one report take in full: a usual run needs a tenth. */
const EXCHANGES = 4_000_000;

export type Room = ReturnType<typeof roomOf>;

/**
 * Keeps a file small whatever a target sends: gives each part as long as there is room for it, and else what stands in its
 * place. `bytes` is all the room, `size` what a part takes of it.
 */
export function roomOf(bytes: number) {
  let left = bytes;
  return <Part, Other>(part: Part, otherwise: Other, size = Buffer.byteLength(String(part))): Part | Other => {
    if (size > left) return otherwise;
    left -= size;
    return part;
  };
}

/** Makes room for the exchanges of one report: what does not fit is without the headers and the body of its response. */
export function roomForExchanges(): (exchange: ShownExchange) => ShownExchange {
  const room = roomOf(EXCHANGES);
  return (exchange) => {
    const { response, ...rest } = exchange;
    const bare = { ...rest, ...(response && { response: { ...response, headers: [], body: '' } }) };
    return room(exchange, bare, Buffer.byteLength(inertJson(exchange)));
  };
}
