import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';

test.concurrent('--list prints the requirements and sends nothing', async () => {
  await inFolder(async (folder) => {
    const env = { BASE_URL: '' };
    const [all, few, wrong] = await Promise.all([
      runCommand(['--list', '--json'], env, folder),
      runCommand(['--list', '--only', 'http.json', 'create.*'], env, folder),
      runCommand(['--only', 'lists.*'], env, folder),
    ]);
    const rows: { slug: string; level: string; sentence: string; explored: string[] }[] = JSON.parse(all.stdout);
    expect(rows.length).toBeGreaterThan(60);
    for (const { slug, level, sentence } of rows)
      expect(`${slug} ${level} ${sentence}`).toMatch(/^\S+ (MUST|SHOULD) ./);
    expect(rows.find(({ slug }) => slug === 'retrieve.repeatable')?.explored).not.toEqual([]);
    expect(rows.find(({ slug }) => slug === 'versioning.base-address')?.explored).toEqual([]);
    expect(few.stdout).toContain('  MUST    http.json ');
    expect(few.stdout).not.toContain('list.answers');
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr: 'No requirement matches "lists.*": --list shows all slugs.\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
