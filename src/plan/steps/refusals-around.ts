import { randomUUID } from 'node:crypto';
import { isAnswered } from '../../http/exchange.ts';
import { show, textOf } from '../../http/value.ts';
import { type Bad, patienceOf, type Reply, sendBad } from '../bad.ts';
import type { Context } from '../context.ts';
import { type CaseEvidence, part, present } from '../evidence.ts';
import { members, recordsIn } from '../record.ts';
import { maybe, type Step, step } from '../step.ts';
import { type BodyCase, bodyRequest } from './bodies.ts';

/** What came of a request that no service carries out. */
export interface Refusal extends Reply {
  /**
   * The list without a key: at the end, where a wrong one is open as well, it proves nothing more. A creation with a wrong key, at the
   * end the list. An identifier of nobody.
   */
  what: 'no key' | 'wrong key' | 'nobody';
  /** When it was sent. */
  when: string;
  /** The records of users in the answer, as text, by their place. */
  records: ReadonlyMap<string, string>;
}

/** A service may behave only from the first creation on: these go out before it. */
export const earlyRefusals: Step<Refusal[]> = step({
  name: 'bad requests before the first creation',
  needs: {},
  take: async (run): Promise<Refusal[]> => {
    const when = 'before the first user was created';
    const all = await Promise.all([
      refusal(run, 'no key', when, { request: run.listing({}) }),
      refusal(run, 'nobody', when, { request: nobodys(run) }),
      ...(run.settings.readOnly ? [] : [refusal(run, 'wrong key', when, creationWithWrongKey(run, when))]),
    ]);
    run.ledger.saysNobody = all.some(({ what, ok, exchange }) => what === 'nobody' && !ok && isAnswered(exchange));
    return all;
  },
});

/** Or only at the beginning: these go out at the end, and a malformed creation whose next request is a valid one. */
export const lateRefusals: Step<Refusal[]> = step({
  name: 'bad requests at the end',
  needs: { early: maybe(earlyRefusals) },
  take: async (run, { early }): Promise<Refusal[]> => {
    // The same identifier: the first time may make what the second one finds.
    const before = present([early])
      .flat()
      .find(({ what }) => what === 'nobody')?.exchange.request;
    const when = 'at the end of the run';
    const [wrongKey, nobody] = await Promise.all([
      refusal(run, 'wrong key', when, { request: run.listing({ authorization: `Bearer ${ANY_KEY}` }) }),
      refusal(run, 'nobody', when, { request: { ...nobodys(run), ...(before && { path: before.path }) } }),
      run.settings.readOnly ? undefined : sendBad(run, bodyRequest(run, EMPTY), 'text', patienceOf(run)),
    ]);
    return [wrongKey, nobody];
  },
});

const EMPTY: BodyCase = { what: 'an empty object at the end', make: () => ({ body: '{}', traces: {} }) };

/** Of no known one's kind, which may be somebody's. It begins with no digit: a lenient lookup may ignore what follows one. */
const nobodys = (run: Context) => run.retrieval(`f${randomUUID().slice(1)}`);

function creationWithWrongKey(run: Context, when: string): Required<Bad> {
  const user = run.factory.make();
  const draft = { what: `a wrong key ${when}`, fate: 'must-not' as const, user, traces: user };
  return { request: run.creating(user, { authorization: `Bearer ${run.client.secrets.wrongKey}` }), draft };
}

/** What LIKE takes for any key. */
const ANY_KEY = '%';

/** On a connection that is closed then: what is kept for others has carried nothing but what they sent. */
async function refusal(run: Context, what: Refusal['what'], when: string, bad: Bad): Promise<Refusal> {
  const onNew = { ...bad, request: { ...bad.request, connection: 'new' as const } };
  const { exchange, status, ok, json } = await sendBad(run, onNew, 'record');
  const records = recordsIn(json).flatMap(({ record, path }): [string, string][] => {
    const isUser = Object.values(members(record)).every((value) => textOf(value) !== undefined);
    return isUser ? [[path, show(record)]] : [];
  });
  return { what, when, exchange, status, ok, records: new Map(records) };
}

/** What came of both. */
const steps = [earlyRefusals, lateRefusals];
export const refusalsAround: CaseEvidence<Refusal> = part(
  (yields) => steps.flatMap((step) => [yields.of(step)].flat()),
  steps.map((step) => [step, undefined]),
);
