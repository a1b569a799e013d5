import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { serveReference } from './serve.ts';

/** Users who are there before the run, so that it has some to look at. */
const PEOPLE = [
  { email: 'ada@example.org', name: 'Ada Lovelace' },
  { email: 'grace@example.org', name: 'Grace Hopper' },
];

/** Vitest's global set-up of a run without a target: starts the reference service and ends it with the run. */
export default async function startReference({ provide }: TestProject): Promise<() => Promise<void>> {
  const apiKey = randomBytes(24).toString('base64url');
  const { baseUrl, close } = await serveReference(apiKey, { people: PEOPLE });
  provide('target', { baseUrl, apiKey });
  return close;
}
