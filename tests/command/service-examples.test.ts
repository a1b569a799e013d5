import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { judge } from '../../src/api/judge.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { settingsOf } from '../../src/settings/settings.ts';
import { withService } from '../../src/start/with-service.ts';
import { words } from '../docs/text.ts';
import { freePort } from '../free-port.ts';
import { COMMAND, inFolder } from '../shell.ts';

const ROOT = join(COMMAND, '../..');
const EXAMPLES = join(ROOT, 'examples');

/** To compile less thoroughly takes a third of the time. */
const JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** The line of a README that judges the example. */
const lineOf = (example: string) =>
  /^`(node_modules\/.bin\/user-management-conformance .*)`$/m.exec(
    readFileSync(join(EXAMPLES, example, 'README.md'), 'utf8'),
  )?.[1] ?? '';

/** The command that starts an example, by the line and by its workflow. */
function startsOf(example: string): string[] {
  const workflow = parse(readFileSync(join(EXAMPLES, example, 'conformance.yml'), 'utf8'));
  const [, inLine = ''] = /--start '(.*)'$/.exec(lineOf(example)) ?? [];
  return [inLine, workflow.jobs.conformance.steps.at(-1).with.start];
}

/** Whether what starts an example is there. */
function isInstalled(example: string): boolean {
  const [command = ''] = startsOf(example);
  const [program = ''] = command.split(' ');
  const isThere = spawnSync(program, ['--version']).status === 0;
  if (!isThere) console.log(`examples/${example} is not judged here: ${program} is not installed`);
  return isThere;
}

const examples = readdirSync(EXAMPLES);
for (const example of examples.filter(isInstalled)) {
  const [command = '', inWorkflow] = startsOf(example);
  test.concurrent(`the example in ${example} conforms, every SHOULD included`, async () => {
    expect(inWorkflow).toBe(command);
    await inFolder(async (folder) => {
      cpSync(join(EXAMPLES, example), folder, { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      // As the line is read by the command, which is not tried once more by each of them.
      const [, ...args] = words(lineOf(example));
      const { values } = readFlags(args);
      expect(values).toMatchObject({ CONFORMANCE_START: command, CONFORMANCE_STRICT: '1' });
      const PORT = `${await freePort()}`;
      const API_KEY = 'Example-test_key.1';
      const baseUrl = `${values.BASE_URL}`.replace('3000', PORT);
      const there = { BASE_URL: baseUrl, CONFORMANCE_START: `cd '${folder}' && exec ${command}` };
      const settings = settingsOf(
        { ...values, ...there, API_KEY, CONFORMANCE_REPORT_DIR: folder },
        folder,
      );
      await withService(
        settings,
        { PATH: process.env.PATH, HOME: folder, PORT, JAVA_TOOL_OPTIONS },
        async () => {
          const report = await judge({ baseUrl, apiKey: API_KEY, strict: settings.strict });
          const because = 'Every MUST and SHOULD holds.';
          expect(report).toMatchObject({
            title: 'conformant (strict)',
            because,
            scope: { strict: true, partial: false },
          });
          return 0;
        },
      );
    });
  });
}
