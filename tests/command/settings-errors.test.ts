import { expect, test } from 'vitest';
import { COMMAND, inFolder, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

type Case = [env: Record<string, string>, args: string[], sentence: string];

const MISSING_KEY: Case = [{ BASE_URL: 'http://127.0.0.1:9/v1' }, [], 'API_KEY is missing'];

const CASES: Case[] = [
  MISSING_KEY,
  [{}, ['--timeout', 'soon'], '--timeout is "soon"'],
  [
    {},
    ['--report-dir', '/dev/null/reports'],
    "Reports can't be written to /dev/null/reports (ENOTDIR)",
  ],
  [{}, ['--api-key', 'secret-key'], 'the key has no flag, set API_KEY'],
  [{ API_KEY: 's3cret-key' }, ['list.answers', 'S3CRET-KEY'], 'An argument holds the key'],
  [{ API_KEY: 's3cret-key' }, [], 'API_KEY is set and BASE_URL is not'],
  [
    { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 'Bearer s3cret-key' },
    [],
    'API_KEY begins with a scheme, which requests add: set the key alone',
  ],
  [{ CI: 'true' }, [], 'No service is set: set BASE_URL to its base address'],
  [{ CI: 'true', BASE_URL: '', API_KEY: 's3cret-key' }, [], 'BASE_URL is set but empty'],
  [{ BASE_URL: '', API_KEY: '' }, [], 'BASE_URL is set but empty'],
  [{ BASE_URL: '$BASE_URL', API_KEY: '$API_KEY' }, [], 'BASE_URL is a placeholder such as $NAME'],
  [{}, ['--only', `${'*'.repeat(28)}zz`], 'No requirement matches'],
  [{ CONFORMANCE_TIMEOUT_MS: 'soon' }, [], 'CONFORMANCE_TIMEOUT_MS is "soon"'],
  [
    {},
    ['--only', 'list.*', '--skip', 'list.*'],
    '--only and --skip leave no requirement to judge.',
  ],
  [
    { CONFORMANCE_SKIP: '*' },
    ['--only', 'list.*'],
    '--only and CONFORMANCE_SKIP leave no requirement to judge.',
  ],
  [{}, ['--only', 'list.total'], 'matches "list.total": did you mean list.total-integer?\n'],
  [{}, ['--skip', 'lists.*'], 'matches "lists.*": did you mean list.*?\n'],
  [{}, ['s3cret-key'], 'An argument is neither a flag nor a command. See --help'],
  [
    { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 's3cret' },
    ['--timeout', 's3cret'],
    '--timeout is "<API_KEY>": it must be a whole number',
  ],
  [{ API_KEY: 's3cret-key', 'CONFORMANCE_S3CRET-KEY': '1' }, [], 'CONFORMANCE_<API_KEY> is not a'],
  [
    { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 'a-key-4711' },
    ['--header', 'Host: x'],
    "--header, line 1: the header Host can't be set",
  ],
  [
    { API_KEY: 'a-key-4711' },
    ['--base-url', 'here'],
    '--base-url must be an http or https address',
  ],
  [
    { CONFORMANCE_DEADLINE_MS: '60000' },
    ['--rate', '2'],
    'At 2 requests a second (--rate), the run takes longer than its deadline of 60000 ms: raise CONFORMANCE_DEADLINE_MS to ',
  ],
  [{}, ['--start', 'make'], '--start needs --base-url: the address of the started service.'],
  [
    {},
    ['again', 'run.json.gz', '--known-failures', 'none.yml'],
    "none.yml can't be read (ENOENT): check --known-failures.",
  ],
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

test('a process ends with the same code and sentence', async () => {
  await inFolder(async (folder) => {
    const [env, args, sentence] = MISSING_KEY;
    const { code, stdout, stderr } = await runNode([COMMAND, ...args], env, folder);
    expect(stderr).toContain(sentence);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

/** Returns the help that the command prints. */
const helpOf = (args: string[]) =>
  inFolder(async (folder) => {
    const { code, stdout, stderr } = await runCommand(args, {}, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  });

test.for(['init', 'again', 'compare'])('%s has its own help', async (command) => {
  const text = await helpOf([command, '--help']);
  expect(text).toContain(`\n  user-management-conformance ${command} `);
  expect(await helpOf(['help', command])).toBe(text);
  // Every command has the same name for the option.
  expect(text).not.toContain('--output');
  if (command !== 'init') expect(text).toContain('--report-dir DIR');
});

test.for(['help', '-h', '--strict --help'])('%s prints the same help as --help', async (line) => {
  const text = await helpOf(['--help']);
  expect(text).toContain('CONFORMANCE_CLIENT_CERT, CONFORMANCE_CLIENT_KEY, CONFORMANCE_CA');
  expect(await helpOf(line.split(' '))).toBe(text);
});
