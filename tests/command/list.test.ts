import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';

test.concurrent('--list prints the requirements and sends nothing', async () => {
  await inFolder(async (folder) => {
    const env = { BASE_URL: '' };
    const [all, few, wrong] = await Promise.all([
      runCommand(['--list'], env, folder),
      runCommand(['--list', '--only', 'http.json', 'create.*'], env, folder),
      runCommand(['--only', 'lists.*'], env, folder),
    ]);
    for (const { slug, level, sentence } of requirements) {
      expect(all.stdout).toMatch(new RegExp(`^  ${level} +${slug.replaceAll('.', '\\.')} `, 'm'));
      expect(all.stdout).toContain(sentence);
    }
    expect(few.stdout).toContain('  MUST    http.json ');
    expect(few.stdout).not.toContain('list.answers');
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr: 'No requirement matches "lists.*": did you mean list.*?\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
