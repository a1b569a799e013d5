import { expect, test } from 'vitest';
import { COMMAND, inFolder, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const CASES: [env: Record<string, string>, args: string[], sentence: string][] = [
  [{ BASE_URL: 'http://127.0.0.1:9/v1' }, [], 'API_KEY is missing'],
  [{}, ['--timeout', 'soon'], '--timeout is "soon"'],
  [
    {},
    ['--report-dir', '/dev/null/reports'],
    "Reports can't be written to /dev/null/reports (ENOTDIR)",
  ],
  [{}, ['--api-key', 'secret-key'], 'the key has no flag, set API_KEY'],
  [{ API_KEY: 's3cret-key' }, ['list.answers', 'S3CRET-KEY'], 'An argument holds the key'],
  [{ API_KEY: 's3cret-key' }, [], 'API_KEY is set and BASE_URL is not'],
  [{ CI: 'true' }, [], 'No service is set: set BASE_URL to its base address'],
  [{ CI: 'true', BASE_URL: '', API_KEY: 's3cret-key' }, [], 'BASE_URL is set but empty'],
  [{ BASE_URL: '', API_KEY: '' }, [], 'BASE_URL is set but empty'],
  [{ BASE_URL: '$BASE_URL', API_KEY: '$API_KEY' }, [], 'BASE_URL is a placeholder such as $NAME'],
  [{}, ['--only', `${'*'.repeat(28)}zz`], 'No requirement matches'],
  [{ CONFORMANCE_TIMEOUT_MS: 'soon' }, [], 'CONFORMANCE_TIMEOUT_MS is "soon"'],
  [{}, ['--only'], '--only needs a value.\n'],
  [{}, ['--only', '--strict'], '--only needs a value.\n'],
  [{}, ['--verbos'], "Unknown option '--verbos': did you mean --verbose?"],
  [{}, ['--onyl'], "Unknown option '--onyl': did you mean --only?"],
  [{}, ['--what'], "Unknown option '--what'. See --help"],
  [{}, ['complare'], '"complare" is neither a flag nor a command: did you mean compare?'],
  [{}, ['--last-failed'], "can't be read (ENOENT): run the suite first"],
  [{}, ['--last-failed', '--only', 'list.*'], '--only has no effect with --last-failed.'],
  [{}, ['--quiet', '--verbose'], '--quiet has no effect with --verbose.'],
  [{}, ['--list', '--open'], '--open has no effect with --list.'],
  [{}, ['--watch-path', 'src'], '--watch-path has no effect without --watch.'],
  [
    {},
    ['--watch', '--watch-path', 'nowhere'],
    '--watch-path is "nowhere": there is no such directory.',
  ],
  [{}, ['--seed', '1'], '--seed has no effect without --thorough.'],
  [{}, ['--list', '--strict'], '--strict has no effect with --list.'],
  [{}, ['--list', '--watch'], '--watch has no effect with --list.'],
  [
    { CONFORMANCE_STRICT: '1\n::set-output name=verdict::conformant' },
    [],
    '1\\n\\u003a:set-output',
  ],
];

test.for(CASES)(
  '2: unusable settings end in one sentence (%o %o)',
  async ([env, args, sentence]) => {
    const { code, stdout, stderr } = await inFolder((folder) => runCommand(args, env, folder));
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/s3cret/i);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  },
);

test('the process ends with the code and the sentence', async () => {
  await inFolder(async (folder) => {
    const [env, args, sentence] = CASES[0] as (typeof CASES)[number];
    const { code, stdout, stderr } = await runNode([COMMAND, ...args], env, folder);
    expect(stderr).toContain(sentence);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
