import type { ShownExchange } from '../http/exchange.ts';
import { inertJson } from './text.ts';

/** Bytes that the exchanges of one report take in full: a usual run needs a tenth. */
const ROOM = 4_000_000;

/** Each exchange stands in several reports. */
const sizes = new WeakMap<ShownExchange, number>();

/**
 * Makes room for the exchanges of one report: gives each in full as long as there is some left, and then without the headers
 * and the body of its answer. Whatever a target sends, the reports of a run stay of a size that can be kept and opened.
 */
export function roomFor(bytes = ROOM): (exchange: ShownExchange) => ShownExchange {
  let left = bytes;
  return (exchange) => {
    const size = sizes.get(exchange) ?? Buffer.byteLength(inertJson(exchange));
    sizes.set(exchange, size);
    if (size > left) return bare(exchange);
    left -= size;
    return exchange;
  };
}

function bare({ response, ...exchange }: ShownExchange): ShownExchange {
  return { ...exchange, ...(response && { response: { ...response, headers: [], body: '' } }) };
}
