import { type Exchange, isAnswered, isSuccess } from '../http/exchange.ts';
import { Missing, type Upset } from './evidence.ts';
import { isReadable } from './look.ts';
import { isFine } from './record.ts';
import type { Run } from './run.ts';
import { readAgain } from './seek.ts';

/** How often it is tried whether a request without an answer was chance. */
const TRIES = 2;

/** How many such requests are tried again. */
const MOST = 3;

/**
 * Looks after the service when a line had requests in it that are not valid, by one that is: where valid ones of the line
 * failed, or always, if it is the `last` such line. Where it answers no valid request any more, the plan is given up; where a
 * valid one got no answer, it is tried whether that was chance.
 */
export async function lookAfter(run: Run, line: readonly Exchange[], last: boolean): Promise<void> {
  const before = line.findLast((exchange) => run.isInvalid(exchange));
  const valid = line.filter((exchange) => !run.isInvalid(exchange));
  // What was never answered as it should be was not upset.
  const wasFine = run.ledger.proven.length > 0 || run.looks.some(isReadable);
  if (before === undefined || !wasFine || !(last || valid.some(isFailed))) return;
  const failed = await failedRead(run);
  if (failed && !isReadable(await run.look())) {
    const whole = (line[0]?.id ?? 1) - 1;
    const why = `the service answers no valid request any more${failed.failure ? `: ${failed.failure}` : ''}`;
    return run.stop(new Missing(why, [failed]), whole, true);
  }
  if (failed && isAnswered(failed) && !(await failedRead(run))) {
    run.upsets.push({ before, valid: failed, again: [] });
  }
  const lost = valid.filter((exchange) => (exchange.lost ?? 0) > 0 && run.invalidBefore(exchange) !== undefined);
  for (const exchange of lost.slice(0, MOST)) run.upsets.push(await tryAgain(run, exchange));
}

function isFailed(exchange: Exchange): boolean {
  return !isAnswered(exchange) || !isSuccess(exchange) || (exchange.lost ?? 0) > 0;
}

/** Retrieves the first user; the exchange where that failed. Where there is no user, the list has to do. */
async function failedRead(run: Run): Promise<Exchange | undefined> {
  const [user] = run.ledger.proven;
  if (user === undefined) {
    const look = await run.look();
    return isReadable(look) ? undefined : look.exchange;
  }
  const read = await readAgain(run, user);
  return isFine(read) ? undefined : read.exchange;
}

async function tryAgain(run: Run, valid: Exchange): Promise<Upset> {
  const before = run.invalidBefore(valid) as Exchange;
  const upset: Upset = { before, valid, again: [] };
  for (let tries = 0; tries < TRIES; tries += 1) {
    const [first, second] = await Promise.all([
      run.send({ ...before.request, connection: 'new' }, 'text'),
      run.send({ ...valid.request, connection: 'new' }),
    ]);
    upset.again.push({ before: first.exchange, valid: second.exchange });
  }
  return upset;
}
