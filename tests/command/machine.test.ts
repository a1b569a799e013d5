import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { refresh } from '../../bin/build.mjs';
import schema from '../../schemas/report.schema.json' with { type: 'json' };
import { judge, SettingsError } from '../../src/api/index.ts';
import { makeEvent, waitForFile } from '../events.ts';
import { NEVER_MS } from '../run.ts';
import { start } from '../services/service.ts';
import {
  COMMAND,
  FEW,
  filesBelow,
  inFolder,
  REPORT_NAMES,
  reportIn,
  run,
  runNode,
} from '../shell.ts';
import { runCommand } from './kept-command.ts';

// A process that may open few files cannot compile.
await refresh();

/** A clock that jumps back and forth by a day, an hour and fifty years each time it is read. */
const JUMPING_CLOCK = `
  const Clock = Date;
  const jumps = [0, -86_400_000, 3_600_000, -3, 1.5e12, -1.5e12];
  let reads = 0;
  const now = () => Clock.now() + jumps[reads++ % jumps.length];
  globalThis.Date = class extends Clock {
    constructor(...args) { args.length > 0 ? super(...args) : super(now()); }
    static now() { return now(); }
  };`;

test.concurrent('no report has a negative duration if the clock jumps', async () => {
  await inFolder(async (folder) => {
    const clock = join(folder, 'clock.mjs');
    writeFileSync(clock, JUMPING_CLOCK);
    const { code, stderr } = await runNode(['--import', clock, COMMAND, ...FEW], {}, folder);
    expect(code, stderr).toBe(0);
    const formats = { date: true, 'date-time': true, uri: true } as const;
    const validate = new Ajv2020({ strict: false, formats }).compile(schema);
    expect(validate(reportIn(folder)), JSON.stringify(validate.errors)).toBe(true);
    const negative = /"(duration|time|wait|send|receive|at)": ?-\d+|time="-/;
    for (const { path, content } of filesBelow(join(folder, 'reports'))) {
      expect(content.match(negative), path).toBe(null);
      if (!path.endsWith('-result.json')) continue;
      const allure = JSON.parse(content);
      expect(allure.stop, path).toBeGreaterThanOrEqual(allure.start);
    }
  });
});

test.concurrent.for([24, 96])(
  'with at most %i open files, a run conforms or names that limit',
  async (limit) => {
    await inFolder(async (folder) => {
      const script = `ulimit -n ${limit}; exec "${process.execPath}" "${COMMAND}"`;
      const { code, stdout, stderr } = await run('sh', ['-c', script], {}, folder);
      // On some machines this many files suffice.
      expect([0, 3]).toContain(code);
      if (code === 3) expect(`${stdout}${stderr}`).toMatch(/too many open files and connections/i);
      expect(stderr).not.toMatch(/\n {4}at /);
    });
  },
);

test.concurrent('an interrupt right after the claim leaves all reports or none', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'reports'));
    const interrupt = join(folder, 'interrupt.mjs');
    writeFileSync(
      interrupt,
      `import { watch } from 'node:fs';
      const watcher = watch('reports', (_, name) => {
        if (name !== '.in-use') return;
        watcher.close();
        process.kill(process.pid, 'SIGINT');
      });`,
    );
    const { code, stderr } = await runNode(['--import', interrupt, COMMAND], {}, folder);
    expect(code, stderr).toBe(3);
    // A run that created no users writes no created-users.json.
    const withoutUsers = (names: string[]) => names.filter((name) => name !== 'created-users.json');
    const names = withoutUsers(readdirSync(join(folder, 'reports')).sort());
    if (names.length > 0) expect(names).toEqual(withoutUsers(REPORT_NAMES));
  });
});

test.concurrent('a run rejects the report directory of a run that lasts', async () => {
  const released = makeEvent();
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      await released.happened;
      return handle(request);
    };
  });
  await inFolder(async (folder) => {
    const reportDir = join(folder, 'reports');
    const { baseUrl, apiKey } = service;
    // The first request waits until the command has been called.
    const settings = { baseUrl, apiKey, reportDir, only: ['list.answers'], timeoutMs: NEVER_MS };
    const first = judge(settings);
    await waitForFile(join(reportDir, '.in-use'));
    await expect(judge(settings)).rejects.toThrow(SettingsError);
    const env = { BASE_URL: baseUrl, API_KEY: apiKey, CONFORMANCE_REPORT_DIR: reportDir };
    const { code, stderr } = await runCommand(FEW, env, folder);
    expect(stderr).toMatch(/^The report directory is in use by another run \(process \d+\): .*\n$/);
    expect(code).toBe(2);
    released.trigger();
    expect((await first).verdict).toBe('conformant');
    expect(readFileSync(join(reportDir, 'conformance.json'), 'utf8')).toContain('"conformant');
    expect((await judge(settings)).verdict).toBe('conformant');
    expect(existsSync(join(reportDir, '.in-use'))).toBe(false);
  }).finally(service.close);
});
