import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseEnv } from 'dotenv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMAND, inFolder, runNode } from '../shell.ts';

const API_KEY = "Init's-key_of $4711";

// What init writes by flags, and the run that follows, is in package.test.ts.

test.concurrent.each([
  [[], '--base-url is missing'],
  [['--base-url', 'users.example.com'], 'BASE_URL must be an http or https address'],
  [['--base-url', 'https://api.example.com/v1', '--ci', 'jenkins'], '"jenkins" is no CI that init knows'],
  [['--base-url', 'https://api.example.com/v1', '--ci', 'gitlab'], '.gitlab-ci.yml is there already'],
  [['--key', 'x'], "Unknown option '--key'"],
])('init %o ends in one sentence, and writes nothing', async (args, sentence) => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, '.gitlab-ci.yml'), 'stages: [test]\n');
    const { code, stderr } = await runNode([COMMAND, 'init', ...args], { API_KEY }, folder);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
    expect(existsSync(join(folder, '.env')) || existsSync(join(folder, '.gitignore'))).toBe(false);
  });
});

/** Runs a command at a terminal, and types each answer when its question is on the screen. Returns the screen. */
function typed(command: string, folder: string, answers: [question: string, answer: string][]): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, TERM: 'xterm' };
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, env });
  let [screen, read] = ['', 0];
  child.stdout.on('data', (data) => {
    screen += data;
    const [question = '', answer] = answers[0] ?? [];
    const at = screen.indexOf(question, read);
    // The question is on the screen when what is behind it waits: it ends in a colon.
    if (answer === undefined || at < 0 || screen.indexOf('): ', at) < 0) return;
    read = screen.length;
    answers.shift();
    child.stdin.write(`${answer}\r`);
  });
  return new Promise((resolve) => child.once('close', () => resolve(screen)));
}

// A terminal for a program, which then asks its questions.
const withTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux');
if (!withTerminal) console.log('the questions of init are not tested here: there is no script of util-linux');
else {
  test.concurrent('init at a terminal asks what no flag says, shows no key, and asks again', async () => {
    await inFolder(async (folder) => {
      const screen = await typed(`node "${COMMAND}" init`, folder, [
        ['Base address', 'nowhere'],
        ['such as https://api.example.com/v1.', 'https://api.example.com/v1'],
        ['API key', 'Typed-key_0815'],
        ['Command', 'npm start'],
        ['Workflow', 'GitLab'],
      ]);
      expect(screen).not.toContain('Typed-key_0815');
      expect(screen).toContain('Written: .env, .gitlab-ci.yml, .gitignore');
      expect(parseEnv(readFileSync(join(folder, '.env')))).toEqual({
        BASE_URL: 'https://api.example.com/v1',
        API_KEY: 'Typed-key_0815',
        CONFORMANCE_START: 'npm start',
      });
      const { conformance } = parse(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8'));
      expect(conformance.script.at(-1)).toBe(
        "npx --no -- user-management-conformance --base-url 'https://api.example.com/v1' --start 'npm start'",
      );
    });
  });
}
