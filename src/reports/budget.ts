import type { ShownExchange } from '../http/exchange.ts';

/**
 * Returns the part if the budget still has its bytes, else the substitute. `size` is needed for a
 * part that is not text.
 */
export type ByteBudget = <Part, Substitute>(
  part: Part,
  substitute: Substitute,
  size?: number,
) => Part | Substitute;

/** Creates a budget of bytes, which keeps a file small whatever a target sends. */
export function byteBudget(bytes: number): ByteBudget {
  let left = bytes;
  return (part, substitute, size = Buffer.byteLength(String(part))) => {
    if (size > left) return substitute;
    left -= size;
    return part;
  };
}

/** The bytes of a file that exchanges may take with their content: a usual run needs a tenth. */
export const EXCHANGE_BYTES = 4_000_000;

/** Returns an exchange without the headers and the body of its response. */
export function withoutContent({ response, ...rest }: ShownExchange): ShownExchange {
  if (response === undefined) return rest;
  const { bodyEnd: _, ...others } = response;
  return { ...rest, response: { ...others, headers: [], body: '' } };
}
