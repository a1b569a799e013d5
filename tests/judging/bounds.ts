import { describe, expect, test } from 'vitest';
import { MOST_HEADERS, RECORD_LIMIT } from '../../src/http/response.ts';
import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { body, further, headers } from '../hostile/attacks.ts';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { type Patch, type Service, withPeople } from '../services/service.ts';

const MIB = 2 ** 20;
const ANY = /^/;
const manyHeaders = () =>
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, 'x'.repeat(50)]));

/** A service that sends too much, the verdict, and a pattern of the reasons. */
type Flood = [name: string, patch: Patch, verdict: Verdict, reasons: RegExp];

/** Light examples of the attacks of `npm run test:hostile`. */
export const floods: Flood[] = [
  ['rejections in an unsupported coding', encodesRejections, 'conformant', ANY],
  [
    'records with many members',
    further(['record'], `"x":[${'[],'.repeat(20_000)}0]`),
    'conformant',
    ANY,
  ],
  [
    'a list with one user 5,000 times',
    listsOneUser,
    'non-conformant',
    /list.contains-created: failed/,
  ],
];

/** Attacks that keep a processor busy for seconds, for `npm run test:thorough`. */
export const dearFloods: Flood[] = [
  [
    'rejections nested 100,000 deep',
    body(['refusal'], () => '['.repeat(100_000)),
    'conformant',
    ANY,
  ],
  ['300 headers', headers(manyHeaders), 'conformant', ANY],
  [
    'a Content-Encoding of no-break spaces',
    headers(() => ({ 'content-encoding': '\u00a0'.repeat(12_000) })),
    'conformant',
    ANY,
  ],
  [
    'a list nested 2,000,000 deep',
    body(['list'], () => '['.repeat(2_000_000)),
    'non-conformant',
    /http.json: failed/,
  ],
  [
    'a number of 2,000,000 digits',
    body(['list'], () => `{"total":${'1'.repeat(2_000_000)}}`),
    'non-conformant',
    /list.data-array: failed/,
  ],
  [
    'a list that is one text',
    body(['list'], () => `"${'x'.repeat(4 * MIB)}"`),
    'non-conformant',
    /list.data-array: failed/,
  ],
  [
    'a page in the place of the list',
    body(['list'], () => `<html>${'x'.repeat(4 * MIB)}`),
    'non-conformant',
    /http.json: failed/,
  ],
  ['records of 4 MiB', body(['record'], () => `"${'x'.repeat(4 * MIB)}"`), 'inconclusive', /./],
];

function encodesRejections(service: Service): void {
  const { handle } = service;
  service.handle = async (request) => {
    const reply = await handle(request);
    return reply.status < 400
      ? reply
      : { ...reply, headers: { ...reply.headers, 'content-encoding': 'zstd' } };
  };
}

function listsOneUser(service: Service): void {
  service.list = () => {
    const text = JSON.stringify(service.users.at(-1));
    const data = Array.from({ length: 5000 }, () => text).join();
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: `{"data":[${data}],"total":5000}`,
    };
  };
}

/** Judges each of these services. The suite must read and record little of what they send. */
export function testFloods(all: readonly Flood[]): void {
  describe.concurrent('of a response that is too large, little is read and less is recorded', () => {
    test.for(all)('%s', async ([, patch, verdict, reasons]) => {
      const service = await startHere(withPeople, patch);
      const run = await judgeKept(service).finally(service.close);
      const wrong = [...run.reasons('failed', 'MUST'), ...run.reasons('not-verified', 'MUST')];
      expect(run.faults).toEqual([]);
      const decision = decide(run.outcomes, { strict: false, knownFailures: [] });
      expect(decision.verdict, wrong.join('\n')).toBe(verdict);
      expect(run.notPassed().join('\n')).toMatch(reasons);
      const responses = run.record.flatMap(({ response }) => response ?? []);
      for (const { headers, body, bodyBytes, status } of responses) {
        expect(headers.length).toBeLessThanOrEqual(2 * MOST_HEADERS);
        expect(body.length).toBeLessThanOrEqual(2000);
        if (status >= 400) expect(bodyBytes).toBeLessThanOrEqual(RECORD_LIMIT);
      }
    });
  });
}
