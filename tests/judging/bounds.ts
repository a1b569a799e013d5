import { describe, expect, test } from 'vitest';
import { MOST_HEADERS, RECORD_LIMIT } from '../../src/http/response.ts';
import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { body, further, headers } from '../hostile/attacks.ts';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { type Patch, withPeople } from '../services/service.ts';

const MIB = 2 ** 20;
const none = /^$/;
const manyHeaders = () =>
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, 'x'.repeat(50)]));

/** A service that sends too much, the verdict, and a part of the reasons. */
type Flood = [name: string, patch: Patch, verdict: Verdict, says: RegExp];

/** Light examples of `npm run test:hostile`. */
export const floods: Flood[] = [
  ['refusals in a coding that nobody knows', headersOfRefusals, 'conformant', none],
  [
    'records with many members',
    further(['record'], `"x":[${'[],'.repeat(20_000)}0]`),
    'conformant',
    none,
  ],
  [
    'a list with one user 5,000 times',
    oneManyTimes,
    'non-conformant',
    /list.contains-created: failed/,
  ],
];

/** Each keeps a processor busy for seconds: only `npm run test:thorough` judges them. */
export const dearFloods: Flood[] = [
  [
    'refusals nested 100,000 deep',
    body(['refusal'], () => '['.repeat(100_000)),
    'conformant',
    none,
  ],
  ['300 headers', headers(manyHeaders), 'conformant', none],
  [
    'a Content-Encoding of no-break spaces',
    headers(() => ({ 'content-encoding': '\u00a0'.repeat(12_000) })),
    'conformant',
    none,
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

function headersOfRefusals(service: Parameters<Patch>[0]): void {
  const { handle } = service;
  service.handle = async (request) => {
    const reply = await handle(request);
    return reply.status < 400
      ? reply
      : { ...reply, headers: { ...reply.headers, 'content-encoding': 'zstd' } };
  };
}

function oneManyTimes(service: Parameters<Patch>[0]): void {
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

/** Judges each of these services: little is read, and less is kept. */
export function testFloods(all: readonly Flood[]): void {
  describe.concurrent('of more than anybody should read, little is read and less is kept', {
    timeout: 300_000,
  }, () => {
    test.for(all)('%s', async ([, patch, verdict, says]) => {
      const service = await startHere(withPeople, patch);
      // A busy machine may take its time.
      const run = await judgeKept(service, { timeoutMs: 100_000, deadlineMs: 250_000 }).finally(
        service.close,
      );
      const told = run
        .reasons('failed', 'MUST')
        .concat(run.reasons('not-verified', 'MUST'))
        .join('\n');
      expect(run.faults).toEqual([]);
      expect(decide(run.outcomes, { strict: false, knownFailures: [] }).verdict, told).toBe(
        verdict,
      );
      expect(run.notPassed().join('\n')).toMatch(verdict === 'conformant' ? /^/ : says);
      const responses = run.record.flatMap(({ response }) => response ?? []);
      for (const { headers, body, bodyBytes, status } of responses) {
        expect(headers.length).toBeLessThanOrEqual(2 * MOST_HEADERS);
        expect(body.length).toBeLessThanOrEqual(2000);
        if (status >= 400) expect(bodyBytes).toBeLessThanOrEqual(RECORD_LIMIT);
      }
    });
  });
}
