import { randomBytes } from 'node:crypto';
import { serveReference } from './serve.ts';

/** Users who are there before the run, so that it has some to look at. */
const PEOPLE = [
  { email: 'ada@example.org', name: 'Ada Lovelace' },
  { email: 'grace@example.org', name: 'Grace Hopper' },
];

/** Starts the reference service for a run without a target. It ends with the thread in which it runs. */
export async function startReference(): Promise<{ baseUrl: string; apiKey: string }> {
  const apiKey = randomBytes(24).toString('base64url');
  const { baseUrl } = await serveReference(apiKey, { people: PEOPLE });
  return { baseUrl, apiKey };
}
