import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeEvent } from '../events.ts';
import type { Running } from '../services/listen.ts';
import { type Patch, type Request, start } from '../services/service.ts';
import {
  COMMAND,
  filesBelow,
  inFolder,
  REPORT_NAMES,
  type RunningProcess,
  reportIn,
  runNode,
  startNode,
} from '../shell.ts';

const variablesOf = ({ baseUrl, apiKey }: Running) => ({ BASE_URL: baseUrl, API_KEY: apiKey });

/** Calls a function before each response. */
const beforeResponse =
  (action: (request: Request) => void): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = (request) => {
      action(request);
      return handle(request);
    };
  };

const outcomeIn = (folder: string, slug: string) =>
  reportIn(folder)?.requirements.find(({ id }) => id === slug)?.outcome;

test.concurrent('4: an uncaught error is one sentence without the key, with reports', async () => {
  let command: RunningProcess | undefined;
  const crash = beforeResponse(({ method, path }) => {
    // The first retrieval comes after creations, so some requirements can be judged.
    if (method === 'GET' && path.includes('/users/')) command?.child.kill('SIGUSR2');
  });
  const service = await start(crash);
  await inFolder(async (folder) => {
    const faultFile = join(folder, 'fault.mjs');
    writeFileSync(
      faultFile,
      `process.once('SIGUSR2', () => {
        throw new Error('sent: Bearer ' + process.env.API_KEY + '\\nand more');
      });`,
    );
    const NODE_OPTIONS = `--import=${pathToFileURL(faultFile)}`;
    command = startNode([COMMAND], { ...variablesOf(service), NODE_OPTIONS }, folder);
    const { code, stdout, stderr } = await command.ended;
    expect(code).toBe(4);
    expect(stdout).toContain('The suite itself failed: sent: Bearer <API_KEY>\n');
    expect(`${stdout}${stderr}`).not.toContain('and more');
    expect(outcomeIn(folder, 'versioning.base-address')).toBe('passed');
    expect(reportIn(folder)?.verdict).toBe('inconclusive');
    for (const { path, content } of filesBelow(join(folder, 'reports')))
      expect(content, path).not.toContain(service.apiKey);
  }).finally(service.close);
});

test.concurrent('a second signal ends the process at once', async () => {
  let command: RunningProcess | undefined;
  const interrupt = beforeResponse(() => {
    // The second signal arrives while the run still waits for this response.
    command?.child.kill('SIGTERM');
    command?.child.kill('SIGINT');
  });
  const service = await start(interrupt);
  await inFolder(async (folder) => {
    command = startNode([COMMAND], variablesOf(service), folder);
    expect((await command.ended).code).toBe(3);
  }).finally(service.close);
});

test.concurrent('an interrupted run ends at once, and reports judged requirements', async () => {
  let isExploring = false;
  const stuck = makeEvent();
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      if (!isExploring) return handle(request);
      stuck.trigger();
      return new Promise(() => {});
    };
  });
  await inFolder(async (folder) => {
    const few = ['--only', 'authentication.*', 'versioning.base-address'];
    const args = [COMMAND, ...few, '--thorough', '--seed', '3'];
    const { child, ended } = startNode(args, variablesOf(service), folder);
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
      isExploring = output.includes('exploring: ');
    });
    await stuck.happened;
    child.kill('SIGHUP');
    const { code, stdout } = await ended;
    expect(code).toBe(3);
    expect(stdout).toContain('the run was interrupted');
    expect(stdout).toContain('Verdict: inconclusive');
    const report = reportIn(folder);
    expect(report?.verdict).toBe('inconclusive');
    expect(report?.coverage).toMatchObject({ seed: 3 });
    expect(outcomeIn(folder, 'versioning.base-address')).toBe('passed');
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual(REPORT_NAMES);
  }).finally(service.close);
});

test.concurrent('a run that crashes ends with code 4, one sentence and its reports', async () => {
  await inFolder(async (folder) => {
    // No other module calls this method.
    const breakEngine =
      "String.prototype.isWellFormed = () => { throw new Error('a broken engine'); }";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(breakEngine)}`;
    const { code, stdout, stderr } = await runNode([COMMAND], { NODE_OPTIONS }, folder);
    expect(code, stderr).toBe(4);
    expect(stdout).toMatch(/^The suite itself failed: the run crashed: a broken engine$/m);
    expect(`${stdout}${stderr}`).not.toMatch(/^ +at /m);
    expect(reportIn(folder)?.verdict).toBe('inconclusive');
  });
});
