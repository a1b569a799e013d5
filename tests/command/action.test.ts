import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { outputs } from '../../src/reports/github.ts';
import { SUMMARY_LIMIT } from '../../src/reports/summary.ts';
import { settingRows } from '../../src/settings/table.ts';
import { madeReport } from '../made-report.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { type Ended, filesBelow, inFolder, ROOT, run } from '../shell.ts';

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

type Variables = Record<string, string>;

const actionText = readFileSync(join(ROOT, 'action.yml'), 'utf8');
const action: Action = parse(actionText);
const judgeStep = action.runs.steps.find(({ id }) => id === 'judge');
const commentStep = action.runs.steps.find(({ id }) => id === 'comment');

/** Evaluates `${{ inputs.x || env.Y }}` as the runner of GitHub Actions does. */
function evaluate(text: string, inputs: Variables, env: Variables): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const values = expression.split('||').map((operand) => {
      const [, context, name = ''] = /^\s*(inputs|env)\.([\w-]+)\s*$/.exec(operand) ?? [];
      if (context === undefined) throw new Error(`this test cannot evaluate "${operand}"`);
      return (context === 'inputs' ? inputs : env)[name] ?? '';
    });
    return values.find((value) => value !== '') ?? '';
  });
}

/** Runs the script of a step as the runner of GitHub Actions does. */
function runStep(step: Step | undefined, env: Variables, workspace: string): Promise<Ended> {
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''];
  return run('bash', args, env, workspace);
}

/** Runs the judging step of the action. The workspace also holds its outputs and its summary. */
function runJudgeStep(workspace: string, inputs: Variables, jobEnv: Variables): Promise<Ended> {
  const env: Variables = {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_OUTPUT: join(workspace, '.outputs'),
    GITHUB_STEP_SUMMARY: join(workspace, '.summary'),
    ...jobEnv,
  };
  for (const [name, text] of Object.entries(judgeStep?.env ?? {}))
    env[name] = evaluate(text, inputs, jobEnv);
  return runStep(judgeStep, env, workspace);
}

/** Returns the outputs of the action, which come from the judging step. */
function outputsIn(workspace: string): Variables {
  const file = join(workspace, '.outputs');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const stepOutputs = new Map(lines.map((line) => line.split(/=(.*)/s) as [string, string]));
  const actionOutputs: Variables = {};
  for (const [name, { value }] of Object.entries(action.outputs)) {
    const [, output = ''] = /^\$\{\{ steps\.judge\.outputs\.([\w-]+) \}\}$/.exec(value) ?? [];
    actionOutputs[name] = stepOutputs.get(output) ?? '';
  }
  return actionOutputs;
}

describe('action.yml', () => {
  test('every setting except the key has an input', () => {
    for (const row of settingRows) {
      if (row.flag === undefined) continue;
      expect(Object.keys(action.inputs)).toContain(row.flag);
      const fallback = row.variable === 'BASE_URL' ? '' : ` || env.${row.variable}`;
      expect(judgeStep?.env?.[row.variable]).toBe(`\${{ inputs.${row.flag}${fallback} }}`);
    }
    expect(judgeStep?.env).not.toHaveProperty('API_KEY');
    for (const input of Object.keys(action.inputs))
      expect(actionText).toContain(`inputs.${input} `);
  });

  test('no shell evaluates an input, and no step builds or installs anything', () => {
    for (const step of action.runs.steps) expect(step.run ?? '').not.toMatch(/\$\{\{|npm|build/);
  });

  test('the outputs are those that a run writes', () => {
    const names = outputs(madeReport([]), 'reports').matchAll(/^([\w-]+)=/gm);
    expect(Object.keys(action.outputs).sort()).toEqual([...names].map(([, name]) => name).sort());
  });

  test('reports are uploaded under the given name with every verdict', () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.includes('upload-artifact'));
    expect(upload?.if).toMatch(/^always\(\) && inputs\.artifact != ''/);
    expect(upload?.with).toEqual({
      name: '${{ inputs.artifact }}',
      path: '${{ steps.judge.outputs.report-dir }}',
    });
  });
});

describe.concurrent('the action', () => {
  test('sets its outputs if the service fails, and executes no input', async () => {
    const service = await start(brokenBy('no Location'));
    await inFolder(async (workspace) => {
      // In CI, only the target may come from .env.
      writeFileSync(
        join(workspace, '.env'),
        'CONFORMANCE_NAME=from-file\nCONFORMANCE_START=touch pwned\n',
      );
      const earlierSummary = 'x'.repeat(SUMMARY_LIMIT - 1000);
      writeFileSync(join(workspace, '.summary'), earlierSummary);
      const hostile = '$(touch pwned)"; touch pwned; exit 1; `touch pwned`\'';
      const inputs = { 'base-url': service.baseUrl, 'report-dir': hostile };
      // The input overrides BASE_URL; the other settings have no input.
      const jobEnv = {
        API_KEY: service.apiKey,
        BASE_URL: 'http://127.0.0.1:1/v1',
        CONFORMANCE_STRICT: '1',
        CONFORMANCE_NAME: 'from-job',
      };
      const { code, stdout, stderr } = await runJudgeStep(workspace, inputs, jobEnv);
      expect(stderr).toBe('');
      expect(code).toBe(1);
      expect(readdirSync(workspace).sort()).toEqual(
        ['.env', '.outputs', '.summary', hostile].sort(),
      );
      expect(stdout).toContain('::error title=SHOULD create.location::');
      const actionOutputs = outputsIn(workspace);
      expect(actionOutputs).toMatchObject({
        verdict: 'non-conformant (strict)',
        because: '1 requirement failed: create.location.',
        'must-failed': '0',
        'should-failed': '1',
        failed: 'create.location',
        'report-dir': join(workspace, hostile),
        report: join(workspace, hostile, 'conformance.json'),
      });
      expect(Number(actionOutputs['must-passed'])).toBeGreaterThan(40);
      for (const [name, value] of Object.entries(actionOutputs))
        if (!/failed|warnings/.test(name)) expect(value, name).not.toBe('');
      const report = JSON.parse(readFileSync(actionOutputs.report ?? '', 'utf8'));
      expect(report.target.name).toBe('from-job');
      expect(stdout).toContain('notice: not from .env, because CI is set: CONFORMANCE_START\n');
      const summary = readFileSync(join(workspace, '.summary'), 'utf8');
      const added = summary.slice(earlierSummary.length);
      expect(added).toMatch(/^# Conformance of .*: non-conformant \(strict\)\n/);
      expect(added.length).toBeLessThanOrEqual(1000);
      for (const { path, content } of filesBelow(workspace))
        expect(content, path).not.toContain(service.apiKey);
    }).finally(service.close);
  });

  /** Writes a program `gh` that logs its arguments. It returns $COMMENTS, or fails for a fork. */
  function writeGh(workspace: string): string {
    const log = join(workspace, 'gh.log');
    const lines = [
      '#!/bin/sh',
      `echo "$*" >> '${log}'`,
      '[ -z "$FORK" ] || exit 1',
      'case "$*" in *--jq*) echo "$COMMENTS";; esac',
      '',
    ];
    writeFileSync(join(workspace, 'gh'), lines.join('\n'), { mode: 0o755 });
    return log;
  }

  test('writes one comment on a pull request, and a warning if it may not', async () => {
    await inFolder(async (workspace) => {
      const log = writeGh(workspace);
      writeFileSync(join(workspace, 'summary.md'), '# Conformance\n');
      const env = {
        PATH: `${workspace}:${process.env.PATH}`,
        NAME: '"--> $(touch pwned)',
        NUMBER: '7',
        GITHUB_REPOSITORY: 'us/service',
        REPORT_DIR: workspace,
        RUNNER_TEMP: workspace,
      };
      const withoutOutput = { code: 0, stdout: '', stderr: '' };
      expect(await runStep(commentStep, env, workspace)).toEqual(withoutOutput);
      const COMMENTS = 'https://api.github.com/comments/1\nhttps://api.github.com/comments/2';
      const secondRun = await runStep(commentStep, { ...env, COMMENTS }, workspace);
      expect(secondRun).toEqual(withoutOutput);
      const file = `-F body=@${workspace}/comment.md`;
      expect(readFileSync(log, 'utf8').split('\n')).toMatchObject([
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
      const forkRun = await runStep(commentStep, { ...env, FORK: '1' }, workspace);
      expect(forkRun.stdout).toMatch(/^::warning::The comment could not be/);
      expect(forkRun.code).toBe(0);
      expect(existsSync(join(workspace, 'pwned'))).toBe(false);
    });
  });

  test('a ref of the sources ends with an error and code 4', async () => {
    await inFolder(async (workspace) => {
      const jobEnv = { GITHUB_ACTION_PATH: workspace };
      const { code, stdout } = await runJudgeStep(workspace, {}, jobEnv);
      expect(stdout).toMatch(/^::error::This ref of the suite holds its sources\. /);
      expect(code).toBe(4);
    });
  });

  test.each([
    [{}, 'BASE_URL is set but empty'],
    [{ 'base-url': '$(touch pwned); exit 0' }, 'BASE_URL contains spaces or line breaks'],
  ])('unusable inputs end with code 2 and no verdict: %o', async (inputs, sentence) => {
    await inFolder(async (workspace) => {
      const { code, stderr } = await runJudgeStep(workspace, inputs, { API_KEY: 'some-long-key' });
      expect(stderr).toContain(sentence);
      expect(code).toBe(2);
      expect(outputsIn(workspace).verdict).toBe('');
      expect(readdirSync(workspace)).toEqual([]);
    });
  });
});
