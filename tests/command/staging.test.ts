import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import { inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** A request comes, or was handled. */
interface Noted {
  id: string;
  change: 1 | -1;
}

/** The largest number of requests that are handled at the same time. */
function mostAtOnce(events: Noted[]): number {
  let now = 0;
  return events.reduce((most, { change }) => {
    now += change;
    return Math.max(most, now);
  }, 0);
}

interface Entry {
  request: { headers: { name: string; value: string }[] };
  response: { _error?: string };
}

const idsOf = (entries: Entry[]): string[] =>
  entries.flatMap(({ request }) =>
    request.headers.flatMap(({ name, value }) => (name === 'x-request-id' ? value : [])),
  );

/** Runs the command against a service that notes when requests come and were handled, by their ids. */
async function noted(args: string[], patch: Patch = () => {}) {
  const events: Noted[] = [];
  const service = await start(patch, (one) => {
    const { handle } = one;
    one.handle = async (request) => {
      const id = `${request.headers['x-request-id']}`;
      events.push({ id, change: 1 });
      // Others come meanwhile, if they may.
      await new Promise((resolve) => setTimeout(resolve, 10));
      return Promise.resolve(handle(request)).finally(() => {
        events.push({ id, change: -1 });
      });
    };
  });
  return inFolder(async (folder) => {
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const ended = await runCommand(args, env, folder);
    const read = (name: string) => JSON.parse(readFileSync(join(folder, 'reports', name), 'utf8'));
    return {
      ...ended,
      events,
      ids: events.flatMap(({ id, change }) => (change > 0 ? id : [])),
      report: reportIn(folder),
      entries: read('exchanges.har').log.entries as Entry[],
      created: read('created-users.json'),
    };
  }).finally(service.close);
}

describe.concurrent('a service behind a gateway', () => {
  test('--rate and --concurrency bound what is sent, and everything is still judged', async () => {
    const { events, ids, entries, code, report } = await noted([
      '--rate',
      '200',
      '--concurrency',
      '2',
      '--request-ids',
    ]);
    expect(code).toBe(0);
    // Whoever has given a request up waits for it no more, and sends the next.
    const givenUp = idsOf(
      entries.filter(({ response }) => response._error?.startsWith('the suite closed')),
    );
    expect(mostAtOnce(events.filter(({ id }) => !givenUp.includes(id)))).toBe(2);
    // A busy machine takes longer, and never less.
    expect(ids.length).toBeGreaterThan(100);
    expect(report?.duration).toBeGreaterThan(((ids.length - 1) / 200) * 900);
    expect(report?.counts.MUST['not-verified']).toBe(0);
  });

  test('--request-ids: the tag of the run and the number of the exchange, the same in the reports; who was created stands in created-users.json', async () => {
    const { ids, report, entries, created } = await noted([
      '--only',
      'create.location',
      '--request-ids',
    ]);
    const { tag = '', created: many = -1 } = report?.users ?? {};
    expect(ids[0]).toBe(`${tag}-1`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsOf(entries).sort()).toEqual(ids.sort());
    expect(created).toHaveLength(many);
    for (const one of created) {
      expect(one).toEqual({
        email: expect.stringContaining(tag),
        name: expect.any(String),
        identifier: expect.any(String),
        foundIn: expect.stringMatching(/^(create response: |Location$)/),
      });
    }
  });
});

test.concurrent('--bail ends the run at the first failed MUST: the rest is not run, and the service does not conform', async () => {
  const { code, stdout, report } = await noted(
    ['--bail'],
    brokenBy('the guard matches the path exactly'),
  );
  expect(code).toBe(1);
  const isNotRun = /^not run: --bail ended the run at authentication\.[a-z-]+$/;
  const rest = report?.requirements.filter(({ reason }) => isNotRun.test(reason)) ?? [];
  expect(rest.length).toBeGreaterThan(10);
  expect(stdout).toContain('? not run: --bail ended the run at authentication.');
  expect(stdout).toContain('Verdict: non-conformant.');
});
