import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import { inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

interface Arrival {
  id: string | undefined;
  atOnce: number;
}

/** Runs the command against a service that notes when requests come, how many it has at once, and their ids. */
async function noted(args: string[], patch: Patch = () => {}) {
  const arrivals: Arrival[] = [];
  let atOnce = 0;
  const service = await start(patch, (one) => {
    const { handle } = one;
    one.handle = async (request) => {
      atOnce += 1;
      arrivals.push({ id: `${request.headers['x-request-id']}`, atOnce });
      // Others come meanwhile, if they may.
      await new Promise((resolve) => setTimeout(resolve, 2));
      return Promise.resolve(handle(request)).finally(() => {
        atOnce -= 1;
      });
    };
  });
  return inFolder(async (folder) => {
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const ended = await runCommand(args, env, folder);
    const read = (name: string) => JSON.parse(readFileSync(join(folder, 'reports', name), 'utf8'));
    return {
      ...ended,
      arrivals,
      report: reportIn(folder),
      har: read('exchanges.har'),
      created: read('created-users.json'),
    };
  }).finally(service.close);
}

describe.concurrent('a service behind a gateway', () => {
  test('--rate and --concurrency bound what is sent, and everything is still judged', async () => {
    const { arrivals, code, report } = await noted(['--rate', '200', '--concurrency', '2']);
    expect(code).toBe(0);
    expect(Math.max(...arrivals.map(({ atOnce }) => atOnce))).toBeLessThanOrEqual(2);
    // A busy machine takes longer, and never less.
    expect(arrivals.length).toBeGreaterThan(100);
    expect(report?.duration).toBeGreaterThan(((arrivals.length - 1) / 200) * 900);
    expect(report?.counts.MUST['not-verified']).toBe(0);
  });

  test('--request-ids: the tag of the run and the number of the exchange, the same in the reports; who was created stands in created-users.json', async () => {
    const { arrivals, report, har, created } = await noted(['--only', 'create.location', '--request-ids']);
    const ids = arrivals.map(({ id }) => id);
    const { tag = '', created: many = -1 } = report?.users ?? {};
    expect(ids[0]).toBe(`${tag}-1`);
    expect(new Set(ids).size).toBe(ids.length);
    const shown: string[] = har.log.entries.flatMap(
      (entry: { request: { headers: { name: string; value: string }[] } }) =>
        entry.request.headers.flatMap(({ name, value }) => (name === 'x-request-id' ? [value] : [])),
    );
    expect(shown.sort()).toEqual(ids.sort());
    expect(created).toHaveLength(many);
    for (const one of created) {
      expect(one).toEqual({ identifier: expect.any(String), email: expect.stringContaining(tag) });
    }
  });
});

test.concurrent('--bail ends the run at the first failed MUST: the rest is not run, and the service does not conform', async () => {
  const { code, stdout, report } = await noted(['--bail'], brokenBy('the guard matches the path exactly'));
  expect(code).toBe(1);
  const rest =
    report?.requirements.filter(({ reason }) =>
      reason.startsWith('not run: --bail ended the run at authentication.retrieve-needs-key'),
    ) ?? [];
  expect(rest.length).toBeGreaterThan(10);
  expect(stdout).toContain('? not run: --bail ended the run at authentication.retrieve-needs-key');
  expect(stdout).toContain('Verdict: non-conformant.');
});
