import {
  type Answer,
  type Exchange,
  isAnswered,
  isLane,
  isSuccess,
  type Lane,
  type Request,
} from '../http/exchange.ts';
import { Missing, type Upset } from './evidence.ts';
import { isReadable } from './look.ts';
import { isFine } from './record.ts';
import type { Run } from './run.ts';
import { readAgain } from './seek.ts';
import { USUAL } from './steps/first.ts';

/** How often it is tried whether a request without an answer was chance. */
const TRIES = 2;

/** Lanes that no turn of a line has. */
const FREE_LANES = 1_000_000;

/** How long a connection may take to close: a way over the network, and a busy machine. */
const CLOSING_MS = 200;

/** How many such requests are tried again. */
const MOST = 3;

/**
 * Looks after the service when a line had requests in it that are not valid, by one that is: where valid ones of the line
 * failed, or `always`. Where it answers no valid request any more, the plan is given up; where a
 * valid one got no answer, it is tried whether that was chance.
 */
export async function lookAfter(run: Run, line: readonly Exchange[], always: boolean): Promise<void> {
  const before = line.flatMap((one) => (run.isInvalid(one) ? one : (run.invalidBefore(one) ?? []))).at(-1);
  const valid = line.filter((exchange) => !run.isInvalid(exchange));
  // What was never answered as it should be was not upset.
  const wasFine = run.ledger.proven.length > 0 || run.looks.some(isReadable);
  if (before === undefined || !wasFine || !(always || valid.some(isFailed))) return;
  const failed = await failedRead(run);
  if (failed && !isReadable(await run.look())) {
    const whole = (line[0]?.id ?? 1) - 1;
    const why = `the service answers no valid request any more${failed.failure ? `: ${failed.failure}` : ''}`;
    return run.stop(new Missing(why, [failed]), whole, true);
  }
  if (failed && isAnswered(failed) && !(await failedRead(run))) {
    run.upsets.push({ before, valid: failed, again: [] });
  }
  const lost = valid.filter((exchange) => (exchange.lost ?? 0) > 0 && isAnsweredAtOnce(run.invalidBefore(exchange)));
  // On a connection of its own it is known what came before.
  const first = lost.filter(({ request }) => isLane(request.connection));
  for (const exchange of [...new Set([...first, ...lost])].slice(0, MOST))
    run.upsets.push(...(await tryAgain(run, exchange)));
}

/** Whether a request may be sent again: of one that was lost nobody knows what became of it. */
function isAnsweredAtOnce(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && isAnswered(exchange) && (exchange.lost ?? 0) === 0;
}

/** Whether an exchange was not answered as a valid request should be. */
export function isFailed(exchange: Exchange): boolean {
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

/** Sends a valid request again; a lost creation with another user, because the first one may exist. */
async function sendLike(run: Run, request: Request): Promise<Answer> {
  if (request.method === 'GET') return run.send(request);
  const user = run.factory.make();
  const creation = { what: USUAL.what, fate: 'must' as const, inCompany: true, user, traces: user };
  const [, answer] = await run.create(creation, { ...request, body: JSON.stringify(user) });
  return answer;
}

async function tryAgain(run: Run, valid: Exchange): Promise<Upset[]> {
  const before = run.invalidBefore(valid) as Exchange;
  const upset: Upset = { before, valid, again: [] };
  const onLane = isLane(valid.request.connection);
  // Where a connection is always reset at its second request, that says nothing of the first.
  if (onLane && isLost((await onOneConnection(run, valid, valid))[1].exchange)) return [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const [first, second] = onLane
      ? await onOneConnection(run, before, valid)
      : await Promise.all([
          run.send({ ...before.request, connection: 'new' }, 'text'),
          sendLike(run, { ...valid.request, connection: 'new' }),
        ]);
    const { exchange: control } = await run.send({ ...run.listing(), connection: 'new' }, 'text');
    upset.again.push({ before: first.exchange, valid: second.exchange, control });
  }
  return [upset];
}

function isLost(exchange: Exchange): boolean {
  return (exchange.lost ?? 0) > 0 || !isAnswered(exchange);
}

/** One after the other on a connection of their own. One that the service closes after an answer is closed before the next. */
async function onOneConnection(run: Run, before: Exchange, valid: Exchange): Promise<[Answer, Answer]> {
  const connection: Lane = `lane ${FREE_LANES + run.client.record.length}`;
  const first = await run.send({ ...before.request, connection }, 'text');
  await run.client.deadline.pause(CLOSING_MS);
  return [first, await sendLike(run, { ...valid.request, connection })];
}
