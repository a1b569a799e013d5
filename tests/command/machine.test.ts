import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { refresh } from '../../bin/build.mjs';
import schema from '../../schemas/report.schema.json' with { type: 'json' };
import { judge, SettingsError } from '../../src/api/index.ts';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, reportIn, run, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

// Nothing can be compiled with few open files.
await refresh();

/** Few requests. */
const ONLY = ['--only', 'create.location'];

const REPORTS = [
  'badge.json',
  'conformance.json',
  'exchanges.har',
  'junit.xml',
  'report.html',
  'summary.md',
];

/** A clock that jumps back and forth, by a day, an hour and fifty years, each time somebody looks. */
const JUMPING = `
  const Clock = Date;
  const jumps = [0, -86_400_000, 3_600_000, -3, 1.5e12, -1.5e12];
  let looked = 0;
  const now = () => Clock.now() + jumps[looked++ % jumps.length];
  globalThis.Date = class extends Clock {
    constructor(...args) { args.length > 0 ? super(...args) : super(now()); }
    static now() { return now(); }
  };`;

test.concurrent('no report has a negative duration, however the clock jumps', async () => {
  await inFolder(async (folder) => {
    const clock = join(folder, 'clock.mjs');
    writeFileSync(clock, JUMPING);
    const ended = await runNode(['--import', clock, COMMAND], {}, folder);
    expect(ended.code, ended.stderr).toBe(0);
    const validate = new Ajv2020({
      strict: false,
      formats: { date: true, 'date-time': true, uri: true },
    }).compile(schema);
    expect(validate(reportIn(folder)), JSON.stringify(validate.errors)).toBe(true);
    for (const { path, content } of filesBelow(join(folder, 'reports'))) {
      expect(content.match(/"(duration|time|wait|send|receive|at)": ?-\d+|time="-/), path).toBe(
        null,
      );
      if (!path.endsWith('-result.json')) continue;
      const { start: begin, stop } = JSON.parse(content);
      expect(stop, path).toBeGreaterThanOrEqual(begin);
    }
  });
});

test.concurrent.for([24, 96])(
  '%i open files are too few, which is said and is nobody else',
  async (most) => {
    await inFolder(async (folder) => {
      const ended = await run(
        'sh',
        ['-c', `ulimit -n ${most}; exec "${process.execPath}" "${COMMAND}"`],
        {},
        folder,
      );
      // Where they happen to suffice, the run is as any other.
      expect([0, 3]).toContain(ended.code);
      if (ended.code === 3)
        expect(`${ended.stdout}${ended.stderr}`).toMatch(/too many open files and connections/i);
      expect(ended.stderr).not.toMatch(/\n {4}at /);
    });
  },
);

const leftIn = (folder: string) => {
  const reports = join(folder, 'reports');
  return existsSync(reports) ? readdirSync(reports) : [];
};
const isTrace = (name: string) => name === '.in-use' || name.endsWith('.part');

test.concurrent('an interrupt as soon as the report directory is claimed leaves a whole report, or nothing', async () => {
  await inFolder(async (folder) => {
    const early = join(folder, 'early.mjs');
    writeFileSync(
      early,
      `import { existsSync } from 'node:fs';
      const timer = setInterval(() => {
        if (!existsSync('reports/.in-use')) return;
        clearInterval(timer);
        process.kill(process.pid, 'SIGINT');
      });`,
    );
    const ended = await runNode(['--import', early, COMMAND], {}, folder);
    expect(ended.code, ended.stderr).toBe(3);
    if (leftIn(folder).length > 0) expect(leftIn(folder)).toEqual(expect.arrayContaining(REPORTS));
    expect(leftIn(folder).filter(isTrace)).toEqual([]);
  });
});

test.concurrent('a second run of a program into a report directory is refused as long as the first one lasts', async () => {
  let go = () => {};
  const mayGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      await mayGo;
      return handle(request);
    };
  });
  await inFolder(async (reportDir) => {
    const { baseUrl, apiKey } = service;
    // Held back for as long as a process of the command takes to start.
    const settings = { baseUrl, apiKey, reportDir, only: ['list.answers'], timeoutMs: 100_000 };
    const first = judge(settings);
    await expect.poll(() => existsSync(join(reportDir, '.in-use')), { timeout: 60_000 }).toBe(true);
    await expect(judge(settings)).rejects.toThrow(SettingsError);
    const env = {
      BASE_URL: service.baseUrl,
      API_KEY: service.apiKey,
      CONFORMANCE_REPORT_DIR: reportDir,
    };
    expect((await runCommand(ONLY, env, reportDir)).code).toBe(2);
    go();
    expect((await first).verdict).toBe('conformant');
    expect(readFileSync(join(reportDir, 'conformance.json'), 'utf8')).toContain('"conformant');
    expect((await judge(settings)).verdict).toBe('conformant');
    expect(readdirSync(reportDir)).not.toContain('.in-use');
  }).finally(service.close);
});

test.concurrent('a folder in the place of the claim keeps no run from its end', async () => {
  await inFolder(async (folder) => {
    await run('mkdir', ['-p', 'reports/.in-use/mine'], {}, folder);
    expect((await runCommand(ONLY, {}, folder)).code).toBe(0);
  });
});
