import { userListFault } from '../../../schemas/user-list.ts';
import { isAnswered } from '../../http/exchange.ts';
import { type Bad, badStep, patienceOf, type Reply, sendBad } from '../bad.ts';
import type { Context } from '../context.ts';
import { excluded } from '../evidence.ts';
import type { CaseStep } from '../step.ts';
import { firstLook } from './first.ts';

/** A request whose response is left open, such as one to another address: only what it may not hold is looked for in it. */
export interface FreeCase {
  what: string;
  /** Throws Missing where there is none to try. */
  make: (run: Context) => Bad;
}

/** The response to it. */
export interface FreeResponse extends Reply {
  /** Whether it is a user list. */
  isList: boolean;
}

export const freeRequests: CaseStep<FreeCase, FreeResponse> = badStep({
  name: 'requests that may be rejected in many ways',
  needs: { look: firstLook },
  // Before second users are created: what answers with a list may keep it until the next creation.
  early: () => 1,
  each: async (run, { make }: FreeCase) => {
    const bad = make(run);
    const { exchange, status, ok, json } = await sendBad(run, bad, 'record', patienceOf(run));
    // Some servers cut the connection where a body is too long.
    if (!isAnswered(exchange)) throw excluded(`${exchange.failure}`, [exchange]);
    return { exchange, status, ok, isList: ok && userListFault(json) === undefined };
  },
});
