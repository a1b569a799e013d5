import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import { COMMAND, inFolder, lastLineOf, reportIn, run, runNode, startNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** Returns the commands that a page proposes. */
function commandsIn(page: string): string[] {
  const [, part = ''] = /<h3>Next<\/h3>(.*?)<\/ol>/s.exec(page) ?? [];
  return [...part.matchAll(/<code>(.*?)<\/code>/g)].map(([, code = '']) =>
    code.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

const slow: Patch = (service) => {
  const { handle } = service;
  service.handle = async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return handle(request);
  };
};

describe.concurrent('the next steps', () => {
  test('a shell runs each command of the page unchanged', async () => {
    const { baseUrl, apiKey, close } = await start(brokenBy('no Location'));
    await inFolder(async (folder) => {
      const flags = ['--report-dir', 'my reports', '--strict', '--only', 'create.location'];
      const env = { BASE_URL: baseUrl, API_KEY: apiKey };
      expect((await runNode([COMMAND, ...flags], env, folder)).code).toBe(1);
      const file = join(folder, 'my reports/report.html');
      const page = readFileSync(file, 'utf8');
      expect(page).toContain('The commands read API_KEY from the environment.');
      expect(page).not.toContain(apiKey);
      const [repeat = '', rerun = '', ...others] = commandsIn(page);
      expect(others).toEqual([]);
      const runLine = (line: string) => run('sh', ['-c', line], { API_KEY: apiKey }, folder);
      expect((await runLine(repeat)).stdout).toContain('create.location fails 10 of 10');
      expect((await runLine(rerun)).stdout).toContain('1 requirement failed: create.location.');
      expect(readFileSync(file, 'utf8')).not.toBe(page);
    }).finally(close);
  });

  test('after the deadline the verdict names it, and the page a longer one', async () => {
    const { baseUrl, apiKey, close } = await start(slow);
    await inFolder(async (folder) => {
      const env = { BASE_URL: baseUrl, API_KEY: apiKey };
      const { stdout, code } = await runCommand(['--deadline', '1500'], env, folder);
      expect(code).toBe(3);
      const advice = 'The deadline passed: raise --deadline to 600000.';
      expect(lastLineOf(stdout)).toMatch(
        /^Verdict: inconclusive \(deadline passed\)\. \d+ requirements could not be verified\. /,
      );
      expect(stdout).toContain(advice);
      const readReport = (name: string) => readFileSync(join(folder, 'reports', name), 'utf8');
      expect(readReport('badge.json')).toContain('inconclusive (deadline passed)');
      expect(readReport('summary.md')).toContain('inconclusive (deadline passed)');
      const page = readReport('report.html');
      expect(page).toContain(`<li>${advice}</li>`);
      expect(page).not.toContain('Fix <a');
      expect(commandsIn(page).at(-1)).toContain(' --deadline 600000');
    }).finally(close);
  });

  test('the verdict, the badge and the page of an interrupted run name the interrupt', async () => {
    let interrupt = () => {};
    const { baseUrl, apiKey, close } = await start(slow, (service) => {
      const { create } = service;
      service.create = (request) => {
        interrupt();
        return create(request);
      };
    });
    await inFolder(async (folder) => {
      const env = { BASE_URL: baseUrl, API_KEY: apiKey };
      const { child, ended } = startNode([COMMAND], env, folder);
      interrupt = () => {
        // A second signal would end the process without reports.
        interrupt = () => {};
        child.kill('SIGINT');
      };
      const { code, stdout } = await ended;
      expect(code).toBe(3);
      expect(stdout).toMatch(/^Verdict: inconclusive \(interrupted\)\. /m);
      expect(stdout).toContain('The run was interrupted: start it again.');
      expect(reportIn(folder)?.title).toBe('inconclusive (interrupted)');
      for (const name of ['badge.json', 'report.html'])
        expect(readFileSync(join(folder, 'reports', name), 'utf8')).toContain('(interrupted)');
    }).finally(close);
  });
});
