import { type Answer, type Exchange, isAnswered, type Request, slowest } from '../http/exchange.ts';
import type { Wanted } from '../http/wire.ts';
import type { Context } from './context.ts';
import type { Creation } from './ledger.ts';
import { caseStep, type Needs, type Part, type Step } from './step.ts';
import { hash } from './turns.ts';

/** A request that no conforming service carries out. */
export interface Bad {
  request: Request;
  /** Of a creation, what would show in a user that is made all the same. */
  draft?: Omit<Creation, 'inCompany'>;
}

/** What is kept of the answer to one. The status is 0 where none came. */
export type Reply = Pick<Answer, 'exchange' | 'status' | 'ok'>;

/** Many a service shows more on its pages for a browser than in JSON. */
export const asBrowser = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8' },
});

/** The request of a case as a browser sends it, or as usual: in each run of other cases. */
export const asBrowserAtTimes = ({ factory }: Context, what: string, request: Request): Request =>
  hash(`${factory.choices} ${what}`) % 2 === 0 ? asBrowser(request) : request;

/** Sends a bad request and notes that it is one. Throws Missing where it is a creation, and nothing may be created. */
export async function sendBad(run: Context, bad: Bad, wanted: Wanted = 'text', patienceMs?: number): Promise<Answer> {
  const { request, draft } = bad;
  if (draft) return (await createBad(run, { request, draft }, patienceMs)).answer;
  const answer = await run.send(request, wanted, patienceMs);
  run.bad.add(answer.exchange.id);
  return answer;
}

/** Sends a bad creation in the same way. Throws Missing where nothing may be created. */
export async function createBad(run: Context, { request, draft }: Required<Bad>, patienceMs?: number) {
  const created = await run.create({ ...draft, inCompany: true }, request, patienceMs);
  run.bad.add(created.answer.exchange.id);
  return created;
}

/** How long the answer to a malformed request may take: so many times as long as any so far, but some time. */
const PATIENCE = { times: 20, leastMs: 2000 };

/** The time for it in milliseconds: an answer that never comes must not hold up a run whose other answers come at once. */
export function patienceOf({ client }: Context): number {
  const enough = Math.max(PATIENCE.leastMs, PATIENCE.times * slowest(client.record.filter(isAnswered)));
  return Math.min(client.timeoutMs, enough);
}

/**
 * Declares a step of bad requests. One by which the service fails, or that is not right otherwise, is sent once more,
 * alone.
 */
export function badStep<Y extends { exchange: Exchange; status: number }, C, N extends Needs>({
  each,
  isRight = (found) => !isFailure(found),
  ...common
}: Omit<Part<Y, C, N>, 'bad'>): Step<Y, C> {
  return caseStep<Y, C, N>({
    ...common,
    bad: true,
    isRight,
    each: async (run, one, given, before) => {
      const found = await each(run, one, given, before);
      // Another request has upset it.
      if (before && isFailure(before) && !isFailure(found)) run.upset.push(before.exchange);
      return found;
    },
  });
}

/** Whether the service itself failed by a request. */
export const isFailure = ({ status }: { status: number }) => status >= 500 && status !== 503;
