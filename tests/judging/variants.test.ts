import { describe, expect, test } from 'vitest';
import { choices } from '../../docs/choices.ts';
import { serveReference } from '../../reference/service.ts';
import { misfit } from '../openapi.ts';
import { overhear } from '../overhear.ts';
import { judgeAll, judgedTwice, judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { firstOf, oneOfEach } from '../services/sample.ts';
import { variants } from '../services/variants/index.ts';

test('the reference service passes every requirement, with few requests and users', async () => {
  const people = [{ email: 'ada@example.org', name: 'Ada Lovelace' }];
  const { baseUrl, close } = await serveReference('reference-key', people);
  const { stop } = overhear(baseUrl);
  const run = await judgeAll({ baseUrl, apiKey: 'reference-key' }).finally(close);
  expect(run.notPassed()).toEqual([]);
  const answers = await stop();
  expect(answers.length).toBeGreaterThan(run.tally.requests / 2);
  expect(answers.flatMap((one) => misfit(one) ?? [])).toEqual([]);
  expect(run.tally.usersCreated).toBeLessThanOrEqual(40);
  expect(run.tally.requests).toBeLessThanOrEqual(300);
});

/** Runs that are judged again by their record. */
const judgedAgain = new Set(
  oneOfEach(
    4,
    firstOf(variants, ({ choice }) => choice),
    () => 'any',
  ),
);

describe.concurrent('conforming variants', () => {
  const tried = oneOfEach(12, variants, ({ choice }) => choice);
  test.each(tried)('$choice: $name', async (one) => {
    const { patch, breaks, settings } = one;
    const service = await startHere(patch);
    const { stop } = overhear(service.baseUrl);
    const run = await judgeKept(service, settings).finally(service.close);
    expect((await stop()).flatMap((answer) => misfit(answer) ?? [])).toEqual([]);
    expect([...run.told('failed', 'MUST'), ...run.told('not-verified')]).toEqual([]);
    expect(run.slugs('failed', 'SHOULD'), run.told('failed').join('\n')).toEqual([...breaks].sort());
    if (!judgedAgain.has(one)) return;
    const [first, again] = judgedTwice(run);
    expect(again, 'judged again').toEqual(first);
  });
});

test('every choice has a variant, and every variant a choice', () => {
  const used = new Set(variants.map(({ choice }) => choice));
  expect([...used].sort()).toEqual(choices.map(({ slug }) => slug).sort());
});

test('variants of one choice have names of their own', () => {
  const names = variants.map(({ choice, name }) => `${choice}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
