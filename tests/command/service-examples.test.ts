import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { judge } from '../../src/api/judge.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { parseSettings } from '../../src/settings/settings.ts';
import { withService } from '../../src/start/with-service.ts';
import { words } from '../docs/text.ts';
import { freePort } from '../free-port.ts';
import { inFolder, ROOT } from '../shell.ts';

const EXAMPLES = join(ROOT, 'examples');

/** With these options, Java compiles less and the run takes a third of the time. */
const JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

const API_KEY = 'Example-test_key.1';

/** Returns the command line of a README that judges the example. */
function lineOf(example: string): string {
  const readme = readFileSync(join(EXAMPLES, example, 'README.md'), 'utf8');
  const line = /^`(node_modules\/.bin\/user-management-conformance .*)`$/m.exec(readme);
  return line?.[1] ?? '';
}

/** Returns the start command in the line of the README. */
function startCommandOf(example: string): string {
  return /--start '(.*)'$/.exec(lineOf(example))?.[1] ?? '';
}

/** Returns the start command in the workflow of the example. */
function startCommandInWorkflow(example: string): string {
  const workflow = parse(readFileSync(join(EXAMPLES, example, 'conformance.yml'), 'utf8'));
  return workflow.jobs.conformance.steps.at(-1).with.start;
}

/** Whether the program that starts an example is installed. */
function isInstalled(example: string): boolean {
  const [program = ''] = startCommandOf(example).split(' ');
  const hasProgram = spawnSync(program, ['--version']).status === 0;
  if (!hasProgram)
    console.log(`examples/${example} is not judged here: ${program} is not installed`);
  return hasProgram;
}

for (const example of readdirSync(EXAMPLES).filter(isInstalled)) {
  test.concurrent(`the example in ${example} conforms, every SHOULD included`, async () => {
    const command = startCommandOf(example);
    expect(startCommandInWorkflow(example)).toBe(command);
    await inFolder(async (folder) => {
      cpSync(join(EXAMPLES, example), folder, { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      // The flags are read as by the command; a process for each example would only take longer.
      const [, ...args] = words(lineOf(example));
      const { values } = readFlags(args);
      expect(values).toMatchObject({ CONFORMANCE_START: command, CONFORMANCE_STRICT: '1' });
      const PORT = `${await freePort()}`;
      const baseUrl = `${values.BASE_URL}`.replace('3000', PORT);
      const changes = {
        BASE_URL: baseUrl,
        API_KEY,
        CONFORMANCE_START: `cd '${folder}' && exec ${command}`,
        CONFORMANCE_REPORT_DIR: folder,
      };
      const settings = parseSettings({ ...values, ...changes }, folder);
      const env = { PATH: process.env.PATH, HOME: folder, PORT, JAVA_TOOL_OPTIONS };
      await withService(settings, env, async () => {
        const report = await judge({ baseUrl, apiKey: API_KEY, strict: settings.strict });
        expect(report).toMatchObject({
          title: 'conformant (strict)',
          because: 'Every MUST and SHOULD holds.',
          scope: { strict: true, partial: false },
        });
        return 0;
      });
    });
  });
}
