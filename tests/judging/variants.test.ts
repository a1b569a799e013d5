import { expect, test } from 'vitest';
import { serveReference } from '../../reference/service.ts';
import { choices } from '../../specs/choices.ts';
import { misfit } from '../openapi.ts';
import { overhear } from '../overhear.ts';
import { judgeAll } from '../run.ts';
import { variants } from '../services/variants/index.ts';
import { PARTS } from './variants.ts';

test('the reference service passes every requirement, with few requests and users', async () => {
  const people = [{ email: 'ada@example.org', name: 'Ada Lovelace' }];
  const { baseUrl, close } = await serveReference('reference-key', people);
  const { stop } = overhear(baseUrl);
  const run = await judgeAll({ baseUrl, apiKey: 'reference-key' }).finally(close);
  expect(run.notPassed()).toEqual([]);
  const responses = await stop();
  expect(responses.length).toBeGreaterThan(run.tally.requests / 2);
  expect(responses.flatMap((response) => misfit(response) ?? [])).toEqual([]);
  expect(run.tally.usersCreated).toBeLessThanOrEqual(85);
  expect(run.tally.requests).toBeLessThanOrEqual(700);
});

test('each variant is judged by one file', () => {
  const used = [...new Set(variants.map(({ choice }) => choice))];
  expect(Object.values(PARTS).flat().sort()).toEqual(used.sort());
});

test('every choice has a variant, and every variant a choice', () => {
  const used = new Set(variants.map(({ choice }) => choice));
  expect([...used].sort()).toEqual(choices.map(({ slug }) => slug).sort());
});

test('variants of one choice have unique names', () => {
  const names = variants.map(({ choice, name }) => `${choice}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
