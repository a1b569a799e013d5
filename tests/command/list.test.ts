import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';

// An empty address would end a run: --list does not read it.
const env = { BASE_URL: '' };

test.concurrent('--list prints every requirement, and writes nothing', async () => {
  await inFolder(async (folder) => {
    const { stdout } = await runCommand(['--list'], env, folder);
    for (const { slug, level, sentence } of requirements) {
      expect(stdout).toMatch(new RegExp(`^  ${level} +${slug.replaceAll('.', '\\.')} `, 'm'));
      expect(stdout).toContain(sentence);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.concurrent('--list with --only prints the selected requirements', async () => {
  await inFolder(async (folder) => {
    const args = ['--list', '--only', 'http.json', 'create.*'];
    const { stdout } = await runCommand(args, env, folder);
    expect(stdout).toContain('  MUST    http.json ');
    expect(stdout).not.toContain('list.answers');
  });
});

test.concurrent('a misspelt pattern is reported before an empty address', async () => {
  await inFolder(async (folder) => {
    expect(await runCommand(['--only', 'lists.*'], env, folder)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'No requirement matches "lists.*": did you mean list.*?\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
