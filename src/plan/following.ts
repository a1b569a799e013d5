import { type Connection, type Exchange, isLane } from '../http/exchange.ts';

/** How many refused requests have a connection of their own, and above which number: turns of a line have lower ones. */
const MOST = 16;
const FIRST = 100_000;

/** Connections for one refused request each, on which a valid one follows later: what upsets a connection shows there. */
export class Following {
  #made = 0;
  readonly #open: number[] = [];

  /** The connection for a request that is to be refused; the usual one when there were many. */
  forRefused(): Connection {
    if (this.#made >= MOST) return 'kept';
    this.#made += 1;
    return `lane ${FIRST + this.#made}`;
  }

  /** Notes that the request on such a connection is over. */
  isOver({ request: { connection } }: Exchange): void {
    const number = isLane(connection) ? Number(connection.slice('lane '.length)) : 0;
    if (number > FIRST) this.#open.push(number);
  }

  /** Where a valid request goes: after the last of those that were refused, if none has followed there yet. */
  forValid(): Connection {
    const last = this.#open.sort((a, b) => a - b).pop();
    return last === undefined ? 'kept' : `lane ${last}`;
  }
}
