import { randomBytes } from 'node:crypto';
import { serveReference } from './serve.ts';

/** Users who are there before the run, so that it has some to look at. */
const PEOPLE = [
  { email: 'ada@example.org', name: 'Ada Lovelace' },
  { email: 'grace@example.org', name: 'Grace Hopper' },
];

/** Starts the reference service for a run without a target. `close` ends it. */
export async function startReference(): Promise<{
  baseUrl: string;
  apiKey: string;
  close: () => Promise<void>;
}> {
  const apiKey = randomBytes(24).toString('base64url');
  const { baseUrl, close } = await serveReference(apiKey, { people: PEOPLE });
  return { baseUrl, apiKey, close };
}
