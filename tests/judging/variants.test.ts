import { describe, expect, test } from 'vitest';
import { choices } from '../../docs/choices.ts';
import { serveReference } from '../../reference/service.ts';
import { misfit } from '../openapi.ts';
import { overhear } from '../overhear.ts';
import { judgeAll, judgedTwice, judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { variants } from '../services/variants/index.ts';

test('the reference service passes every requirement, with few requests and users', async () => {
  const people = [{ email: 'ada@example.org', name: 'Ada Lovelace' }];
  const { baseUrl, close } = await serveReference('reference-key', people);
  const { stop } = overhear(baseUrl);
  const run = await judgeAll({ baseUrl, apiKey: 'reference-key' }).finally(close);
  expect(run.notPassed()).toEqual([]);
  const responses = await stop();
  expect(responses.length).toBeGreaterThan(run.tally.requests / 2);
  expect(responses.flatMap((response) => misfit(response) ?? [])).toEqual([]);
  expect(run.tally.usersCreated).toBeLessThanOrEqual(70);
  expect(run.tally.requests).toBeLessThanOrEqual(600);
});

describe.concurrent('conforming variants', () => {
  test.for(variants)('$choice: $name', async ({ patch, breaks, settings }) => {
    const service = await startHere(patch);
    const { stop } = overhear(service.baseUrl);
    const run = await judgeKept(service, settings).finally(service.close);
    const responses = await stop();
    expect(responses.flatMap((response) => misfit(response) ?? [])).toEqual([]);
    expect(run.faults).toEqual([]);
    expect([...run.reasons('failed', 'MUST'), ...run.reasons('not-verified')]).toEqual([]);
    expect(run.slugs('failed', 'SHOULD'), run.reasons('failed').join('\n')).toEqual(
      [...breaks].sort(),
    );
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
