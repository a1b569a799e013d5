import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/reports/report.ts';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import { type Ended, inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** The arrival of a request at the service, or the end of its handling. */
interface RequestEvent {
  /** The value of `X-Request-Id`. */
  id: string;
  /** The change of the number of requests that are handled. */
  change: 1 | -1;
}

/** An entry of `exchanges.har`. */
interface Entry {
  request: { headers: { name: string; value: string }[] };
  response: { _error?: string };
}

/** A run of the command, and the requests that the service received. */
interface RecordedRun extends Ended {
  events: RequestEvent[];
  /** The ids of the requests, in the order of their arrival. */
  ids: string[];
  report: Report | undefined;
  entries: Entry[];
  /** The content of `created-users.json`. */
  createdUsers: unknown[];
}

/** Runs the command against a service that records its requests. */
async function runRecorded(args: string[], patch: Patch = () => {}): Promise<RecordedRun> {
  const events: RequestEvent[] = [];
  const { baseUrl, apiKey, close } = await start(patch, (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      const id = `${request.headers['x-request-id']}`;
      events.push({ id, change: 1 });
      // In this time, further requests can arrive.
      await new Promise((resolve) => setTimeout(resolve, 10));
      try {
        return await handle(request);
      } finally {
        events.push({ id, change: -1 });
      }
    };
  });
  return inFolder(async (folder) => {
    const ended = await runCommand(args, { BASE_URL: baseUrl, API_KEY: apiKey }, folder);
    const read = (name: string) => JSON.parse(readFileSync(join(folder, 'reports', name), 'utf8'));
    return {
      ...ended,
      events,
      ids: events.filter(({ change }) => change === 1).map(({ id }) => id),
      report: reportIn(folder),
      entries: read('exchanges.har').log.entries,
      createdUsers: read('created-users.json'),
    };
  }).finally(close);
}

/** Returns the largest number of requests that were handled concurrently. */
function maximumConcurrency(events: RequestEvent[]): number {
  let current = 0;
  let maximum = 0;
  for (const { change } of events) {
    current += change;
    maximum = Math.max(maximum, current);
  }
  return maximum;
}

/** Returns the request ids in the entries of an archive. */
const idsIn = (entries: Entry[]) =>
  entries
    .flatMap(({ request }) => request.headers)
    .filter(({ name }) => name === 'x-request-id')
    .map(({ value }) => value);

describe.concurrent('a service behind a gateway', () => {
  test('--rate and --concurrency limit the requests, and every MUST is verified', async () => {
    const few = ['--only', 'create.*', 'list.*'];
    const args = [...few, '--rate', '200', '--concurrency', '2', '--request-ids'];
    const { events, ids, entries, code, report } = await runRecorded(args);
    expect(code).toBe(0);
    // The suite stops waiting for a request that it cancels, and sends the next one.
    const cancelled = idsIn(
      entries.filter(({ response }) => response._error?.startsWith('the suite closed')),
    );
    const completed = events.filter(({ id }) => !cancelled.includes(id));
    expect(maximumConcurrency(completed)).toBe(2);
    // A busy machine takes longer, and never less.
    expect(ids.length).toBeGreaterThan(100);
    expect(report?.duration).toBeGreaterThan(((ids.length - 1) / 200) * 900);
    expect(report?.counts.MUST['not-verified']).toBe(0);
  });

  test('--request-ids sends the tag of the run and a number, and reports name both', async () => {
    const args = ['--only', 'create.location', '--request-ids'];
    const { ids, report, entries, createdUsers } = await runRecorded(args);
    const { tag = '', created } = report?.users ?? {};
    expect(ids[0]).toBe(`${tag}-1`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsIn(entries).sort()).toEqual(ids.sort());
    expect(createdUsers).toHaveLength(created ?? -1);
    for (const user of createdUsers) {
      expect(user).toEqual({
        email: expect.stringContaining(tag),
        name: expect.any(String),
        identifier: expect.any(String),
        foundIn: expect.stringMatching(/^(create response: |Location$)/),
      });
    }
  });
});

test.concurrent('--bail ends the run at the first failed MUST', async () => {
  const patch = brokenBy('the guard matches the path exactly');
  const { code, stdout, report } = await runRecorded(['--bail'], patch);
  expect(code).toBe(1);
  const notRun = /^not run: --bail ended the run at authentication\.[a-z-]+$/;
  const rest = report?.requirements.filter(({ reason }) => notRun.test(reason)) ?? [];
  expect(rest.length).toBeGreaterThan(10);
  expect(stdout).toContain('? not run: --bail ended the run at authentication.');
  expect(stdout).toContain('Verdict: non-conformant.');
});
