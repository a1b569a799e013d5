import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../free-port.ts';
import { COMMAND, inFolder, reportIn, run } from '../shell.ts';

const ROOT = join(COMMAND, '../..');
const EXAMPLES = join(ROOT, 'examples');

/** The line of a README that judges the example. */
const lineOf = (example: string) =>
  /^`(npx --no -- user-management-conformance .*)`$/m.exec(
    readFileSync(join(EXAMPLES, example, 'README.md'), 'utf8'),
  )?.[1] ?? '';

/** The command that starts an example, by the line and by its workflow. */
function startsOf(example: string): string[] {
  const workflow = parse(readFileSync(join(EXAMPLES, example, 'conformance.yml'), 'utf8'));
  const [, inLine = ''] = /--start '(.*)'$/.exec(lineOf(example)) ?? [];
  return [inLine, workflow.jobs.conformance.steps.at(-1).with.start];
}

for (const example of readdirSync(EXAMPLES)) {
  const [command = '', inWorkflow] = startsOf(example);
  const [program = ''] = command.split(' ');
  if (spawnSync(program, ['--version']).status !== 0) {
    console.log(`examples/${example} is not judged here: ${program} is not installed`);
    continue;
  }
  test.concurrent(`the example in ${example} conforms, every SHOULD included`, async () => {
    expect(inWorkflow).toBe(command);
    await inFolder(async (folder) => {
      cpSync(join(EXAMPLES, example), folder, { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      mkdirSync(join(folder, 'bin'));
      writeFileSync(join(folder, 'bin/npx'), `#!/bin/sh\nshift 3\nexec node "${COMMAND}" "$@"\n`);
      chmodSync(join(folder, 'bin/npx'), 0o755);
      const PORT = `${await freePort()}`;
      const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, PORT, API_KEY: 'Example-test_key.1' };
      const line = lineOf(example).replace('3000', PORT);
      const { code, stdout, stderr } = await run('sh', ['-c', line], env, folder);
      expect(stderr).toBe('');
      expect(stdout).toContain('Verdict: conformant. Every MUST and SHOULD holds.');
      expect(code).toBe(0);
      expect(reportIn(folder)?.scope).toMatchObject({ strict: true, partial: false });
    });
  });
}
