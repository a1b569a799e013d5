import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { outputs, SUMMARY_LIMIT } from '../../src/reports/summary.ts';
import { settingRows } from '../../src/settings/table.ts';
import { madeReport } from '../made-report.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, run } from '../shell.ts';

interface Step {
  id?: string;
  run?: string;
  uses?: string;
  if?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
}

interface Action {
  inputs: Record<string, unknown>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}

const ROOT = join(COMMAND, '../..');
const actionText = readFileSync(join(ROOT, 'action.yml'), 'utf8');
const action: Action = parse(actionText);
const judge = action.runs.steps.find(({ id }) => id === 'judge');

/** What the runner makes of `${{ inputs.x || env.Y }}`. */
function evaluate(
  text: string,
  inputs: Record<string, string>,
  env: Record<string, string>,
): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const values = expression.split('||').map((one) => {
      const [, context, name = ''] = /^\s*(inputs|env)\.([\w-]+)\s*$/.exec(one) ?? [];
      if (context === undefined) throw new Error(`the substitute does not know "${one}"`);
      return (context === 'inputs' ? inputs : env)[name] ?? '';
    });
    return values.find((value) => value !== '') ?? '';
  });
}

/** The judging step of the action as the runner of GitHub Actions executes it, in a workspace of its own. */
function runAction(
  workspace: string,
  inputs: Record<string, string>,
  jobEnv: Record<string, string>,
) {
  const [GITHUB_OUTPUT, GITHUB_STEP_SUMMARY] = [
    join(workspace, '.outputs'),
    join(workspace, '.summary'),
  ];
  const stepEnv = Object.entries(judge?.env ?? {}).map(([name, text]) => [
    name,
    evaluate(text, inputs, jobEnv),
  ]);
  const runner = {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_OUTPUT,
    GITHUB_STEP_SUMMARY,
  };
  const env = { ...runner, ...jobEnv, ...Object.fromEntries(stepEnv) };
  return run(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', judge?.run ?? ''],
    env,
    workspace,
  );
}

/** The action's outputs: those of the step that it hands on. */
function outputsIn(workspace: string): Record<string, string> {
  const file = join(workspace, '.outputs');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const ofStep = new Map(lines.map((line) => line.split(/=(.*)/s) as [string, string]));
  const named = Object.entries(action.outputs).map(([name, { value }]) => {
    const [, output = ''] = /^\$\{\{ steps\.judge\.outputs\.([\w-]+) \}\}$/.exec(value) ?? [];
    return [name, ofStep.get(output) ?? ''];
  });
  return Object.fromEntries(named);
}

describe('action.yml', () => {
  test('every setting has its input, but the key has none', () => {
    for (const row of settingRows) {
      if (row.flag === undefined) continue;
      expect(Object.keys(action.inputs)).toContain(row.flag);
      const fallback = row.variable === 'BASE_URL' ? '' : ` || env.${row.variable}`;
      expect(judge?.env?.[row.variable]).toBe(`\${{ inputs.${row.flag}${fallback} }}`);
    }
    expect(judge?.env).not.toHaveProperty('API_KEY');
    for (const input of Object.keys(action.inputs))
      expect(actionText).toContain(`inputs.${input} `);
  });

  test('no shell evaluates an input, and nothing is built or installed', () => {
    for (const step of action.runs.steps) expect(step.run ?? '').not.toMatch(/\$\{\{|npm|build/);
  });

  test('its outputs are those that a run writes', () => {
    const names = outputs(madeReport([]), 'reports').matchAll(/^([\w-]+)=/gm);
    expect(Object.keys(action.outputs).sort()).toEqual([...names].map(([, name]) => name).sort());
  });

  test('reports are uploaded under the name that is given, whatever the verdict', () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.includes('upload-artifact'));
    expect(upload?.if).toMatch(/^always\(\) && inputs\.artifact != ''/);
    expect(upload?.with).toEqual({
      name: '${{ inputs.artifact }}',
      path: '${{ steps.judge.outputs.report-dir }}',
    });
  });
});

describe.concurrent('the action', () => {
  test('takes no input for a program; what no input says comes from the job, and from .env no more than the target; outputs are set when the gate closes', async () => {
    const service = await start(brokenBy('no Location'));
    await inFolder(async (workspace) => {
      writeFileSync(
        join(workspace, '.env'),
        'CONFORMANCE_NAME=from-file\nCONFORMANCE_START=touch pwned\n',
      );
      const before = 'x'.repeat(SUMMARY_LIMIT - 1000);
      writeFileSync(join(workspace, '.summary'), before);
      const hostile = '$(touch pwned)"; touch pwned; exit 1; `touch pwned`\'';
      const inputs = { 'base-url': service.baseUrl, 'report-dir': hostile };
      const ofJob = { CONFORMANCE_STRICT: '1', CONFORMANCE_NAME: 'from-job' };
      const jobEnv = { API_KEY: service.apiKey, BASE_URL: 'http://127.0.0.1:1/v1', ...ofJob };
      const { code, stdout, stderr } = await runAction(workspace, inputs, jobEnv);
      expect(stderr).toBe('');
      expect(code).toBe(1);
      expect(readdirSync(workspace).sort()).toEqual(
        ['.env', '.outputs', '.summary', hostile].sort(),
      );
      expect(stdout).toContain('::error title=SHOULD create.location::');
      const given = outputsIn(workspace);
      expect(given).toMatchObject({
        verdict: 'non-conformant (strict)',
        because: '1 requirement failed: create.location.',
        'must-failed': '0',
        'should-failed': '1',
        failed: 'create.location',
        'report-dir': join(workspace, hostile),
        report: join(workspace, hostile, 'conformance.json'),
      });
      expect(Number(given['must-passed'])).toBeGreaterThan(40);
      const empty = Object.entries(given).filter(
        ([name, value]) => value === '' && !/failed|warnings/.test(name),
      );
      expect(empty).toEqual([]);
      expect(JSON.parse(readFileSync(given.report ?? '', 'utf8')).target.name).toBe('from-job');
      expect(stdout).toContain('notice: not from .env, because CI is set: CONFORMANCE_START\n');
      const added = readFileSync(join(workspace, '.summary'), 'utf8').slice(before.length);
      expect(added).toMatch(/^# Conformance of .*: non-conformant \(strict\)\n/);
      expect(added.length).toBeLessThanOrEqual(1000);
      expect(
        filesBelow(workspace).filter(({ content }) => content.includes(service.apiKey)),
      ).toEqual([]);
    }).finally(service.close);
  });

  test('comments once on a pull request: a later run finds its comment; where that is not allowed the job goes on', async () => {
    const comment = action.runs.steps.find(({ id }) => id === 'comment')?.run ?? '';
    await inFolder(async (workspace) => {
      const gh = join(workspace, 'gh');
      const asked = join(workspace, 'asked');
      // Answers with the address of the comment that is there, if any; keeps what it was asked for, and what is posted.
      const script = `#!/bin/sh\necho "$*" >> '${asked}'\n[ -z "$FORK" ] || exit 1\ncase "$*" in *--jq*) echo "$THERE";; esac\n`;
      writeFileSync(gh, script, { mode: 0o755 });
      writeFileSync(join(workspace, 'summary.md'), '# Conformance\n');
      const env = {
        PATH: `${workspace}:${process.env.PATH}`,
        NAME: '"--> $(touch pwned)',
        NUMBER: '7',
        GITHUB_REPOSITORY: 'us/service',
        REPORT_DIR: workspace,
        RUNNER_TEMP: workspace,
      };
      const write = (more: Record<string, string>) =>
        run(
          'bash',
          ['--noprofile', '--norc', '-eo', 'pipefail', '-c', comment],
          { ...env, ...more },
          workspace,
        );
      const there = {
        THERE: 'https://api.github.com/comments/1\nhttps://api.github.com/comments/2',
      };
      expect(await write({})).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await write(there)).toEqual({ code: 0, stdout: '', stderr: '' });
      const file = `-F body=@${workspace}/comment.md`;
      expect(readFileSync(asked, 'utf8').split('\n')).toMatchObject([
        expect.stringMatching(
          /^api --paginate repos\/us\/service\/issues\/7\/comments --jq .*"<!-- conformance \d+ -->"/,
        ),
        `api --silent repos/us/service/issues/7/comments ${file}`,
        expect.stringContaining('--jq'),
        `api --silent --method PATCH https://api.github.com/comments/1 ${file}`,
        '',
      ]);
      expect(readFileSync(join(workspace, 'comment.md'), 'utf8')).toMatch(
        /^<!-- conformance \d+ -->\n# Conformance\n$/,
      );
      const fork = await write({ FORK: '1' });
      expect([fork.code, fork.stdout]).toEqual([
        0,
        expect.stringMatching(/^::warning::The comment could not be/),
      ]);
      expect(existsSync(join(workspace, 'pwned'))).toBe(false);
    });
  });

  test('says so where its ref is none of a release', async () => {
    await inFolder(async (workspace) => {
      const { code, stdout } = await runAction(workspace, {}, { GITHUB_ACTION_PATH: workspace });
      expect([code, stdout]).toEqual([
        4,
        expect.stringMatching(/^::error::This ref of the suite holds its sources\. /),
      ]);
    });
  });

  test.each([
    [{}, 'BASE_URL is set but empty'],
    [{ 'base-url': '$(touch pwned); exit 0' }, 'BASE_URL must be an http or https address'],
  ])('unusable inputs end with code 2 and no verdict: %o', async (inputs, sentence) => {
    await inFolder(async (workspace) => {
      const { code, stderr } = await runAction(workspace, inputs, { API_KEY: 'some-long-key' });
      expect(stderr).toContain(sentence);
      expect(code).toBe(2);
      expect(outputsIn(workspace).verdict).toBe('');
      expect(readdirSync(workspace)).toEqual([]);
    });
  });
});
