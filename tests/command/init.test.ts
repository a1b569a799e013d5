import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse as parseEnv } from 'dotenv';
import { expect, test } from 'vitest';
import { COMMAND, FEW, inFolder, installCommand, run } from '../shell.ts';
import { ADDRESS, API_KEY, BASE_URL, GITHUB, init } from './init.ts';
import { runCommand } from './kept-command.ts';
import { target, wrapped } from './started.ts';

// package.test.ts checks every file that init writes and the first run of an installed package,
// init-ci.test.ts the files for CI.

const NEEDS_V1 = '--base-url must end in /v1: did you mean https://api.example.com/v1?';
const HOLDS_SECRET = 'The command contains a key or a password';

test.concurrent.each([
  [['--base-url', 'users.example.com'], '--base-url must be an http or https address'],
  [['--base-url', 'https://ann:secret@api.example.com/v1'], '--base-url must not contain a user'],
  [['--base-url', 'https://api.example.com'], NEEDS_V1],
  [['--base-url', 'https://api.example.com/v1/users'], NEEDS_V1],
  [['--base-url', 'http://here/V1'], '--base-url must end in /v1: did you mean http://here/v1?'],
  [['--ci', 'gitlab'], 'In CI no service runs at http://127.0.0.1:3000/v1: add --start'],
  [
    ['--base-url', `https://api.example.com/${encodeURIComponent(API_KEY)}/v1`],
    'An argument holds the key',
  ],
  [[...ADDRESS, '--start', 'API_KEY=4711 npm start'], HOLDS_SECRET],
  [[...ADDRESS, '--start', 'serve --token abc'], HOLDS_SECRET],
  [[...ADDRESS, '--start', "serve --header 'Authorization: Bearer abc'"], HOLDS_SECRET],
  [[...ADDRESS, '--start', 'DB=postgres://ann:pw@db/users npm start'], HOLDS_SECRET],
  [[...ADDRESS, '--ci', 'jenkins'], '--ci must be one of github, gitlab, none'],
  [[...ADDRESS, '--ci', 'github'], '--ci github gives API_KEY to the action'],
  [
    [...ADDRESS, '--ci', 'github', '--action', 'OWNER/REPOSITORY@v1'],
    'so name its repository: --action OWNER/REPOSITORY@REF',
  ],
  [['--key', 'x'], "Unknown option '--key'"],
])('init %o ends in one sentence, and writes nothing', async (args, sentence) => {
  await inFolder(async (folder) => {
    const { code, stderr } = await init(args, folder);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.concurrent.each([
  'npm run token-server',
  'API_KEY=$KEY npm start',
  "sh -c 'npm start'",
  'npm start # `x` "y" \\n ~',
])('a shell and the suite read the same from .env with the command %s', async (command) => {
  await inFolder(async (folder) => {
    expect((await init([...ADDRESS, '--start', command], folder)).stderr).toBe('');
    const text = readFileSync(join(folder, '.env'), 'utf8');
    const { stdout } = await run('sh', ['-c', 'set -a; . ./.env; env'], {}, folder);
    const expected = { API_KEY, BASE_URL, CONFORMANCE_START: command };
    for (const [name, value] of Object.entries(expected)) {
      expect(parseEnv(text)[name]).toBe(value);
      expect(stdout.split('\n')).toContain(`${name}=${value}`);
    }
  });
});

test.concurrent('init rejects a key that no quotes protect in both .env and a shell', async () => {
  await inFolder(async (folder) => {
    const { code, stderr } = await init(ADDRESS, folder, { API_KEY: "Both-kinds'of $4711" });
    expect(stderr).toContain("API_KEY has characters that .env and a shell don't read alike");
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.concurrent('init adds .env to .gitignore if git does not ignore it', async () => {
  await inFolder(async (folder) => {
    await run('git', ['init', '-q'], {}, folder);
    writeFileSync(join(folder, '.gitignore'), '*\n!.env\n');
    const { stdout } = await init(ADDRESS, folder);
    expect(stdout).toContain('Written: .gitignore, .env\n');
    // A user can paste this command, and it needs no npx.
    expect(stdout).toContain(`\nCheck the service: ${relative(folder, COMMAND)}\n`);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n!.env\n.env\n');
  });
});

test.concurrent('init leaves a .gitignore whose patterns match', async () => {
  await inFolder(async (folder) => {
    await run('git', ['init', '-q'], {}, folder);
    writeFileSync(join(folder, '.gitignore'), '.e*\n/rep*\n');
    expect((await init(ADDRESS, folder)).stdout).toContain('Written: .env\n');
  });
  // git does not check paths behind a link.
  await inFolder(async (folder) => {
    await run('git', ['init', '-q'], {}, folder);
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync('elsewhere', join(folder, 'node_modules'));
    writeFileSync(join(folder, '.gitignore'), '.e*\n/rep*\nnode_modules\n');
    expect((await init(ADDRESS, folder)).stdout).toContain('Written: .env\n');
  });
});

test.concurrent('init writes no .env that git tracks', async () => {
  await inFolder(async (folder) => {
    await run('git', ['init', '-q'], {}, folder);
    writeFileSync(join(folder, '.env'), '');
    await run('git', ['add', '.env'], {}, folder);
    rmSync(join(folder, '.env'));
    const { code, stderr } = await init(ADDRESS, folder);
    expect(stderr).toContain('git rm --cached .env');
    expect(code).toBe(2);
    expect(existsSync(join(folder, '.env'))).toBe(false);
  });
});

test.concurrent('init adds installed packages to .gitignore', async () => {
  await inFolder(async (folder) => {
    installCommand(folder);
    await init(ADDRESS, folder);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe(
      '.env\nreports/\nnode_modules/\n',
    );
  });
});

test.concurrent.each(['.env', '.gitignore', '.github', '.github/workflows'])(
  'init writes through no link: %s',
  async (path) => {
    await inFolder(async (elsewhere) => {
      await inFolder(async (folder) => {
        const link = join(folder, path);
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(path.startsWith('.github') ? elsewhere : join(elsewhere, 'file'), link);
        const { code, stderr } = await init([...ADDRESS, ...GITHUB], folder);
        expect(stderr).toBe(`${path} is a symbolic link, and init writes through none.\n`);
        expect(code).toBe(2);
      });
      expect(readdirSync(elsewhere)).toEqual([]);
    });
  },
);

test.concurrent('init does not repeat a key that is typed', async () => {
  await inFolder(async (folder) => {
    for (const args of [['s3cret-key'], ['--ci', 's3cret-key'], ['--api-key=s3cret-key']]) {
      const { code, stdout, stderr } = await init(args, folder, {});
      expect(stdout + stderr).not.toContain('s3cret');
      expect(code).toBe(2);
    }
    const { stdout } = await init([...ADDRESS, '--ci', 'gitlab'], folder);
    expect(stdout).not.toContain(API_KEY);
  });
});

test.concurrent('init names the variables that an existing .env lacks', async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, '.env'), 'API_KEY=a-key-4711\n');
    const args = [...ADDRESS, '--start', 'npm start', '--ci', 'gitlab'];
    const { stdout, stderr } = await init(args, folder, {});
    expect(stderr).toBe('');
    expect(stdout).toContain(
      "Add to .env: BASE_URL=https://api.example.com/v1\nAdd to .env: CONFORMANCE_START='npm start'\n",
    );
    expect(stdout).not.toContain('a-key-4711');
  });
});

test.concurrent('the first run after init passes for a conforming service', async () => {
  await inFolder(async (folder) => {
    const variables = await target();
    writeFileSync(join(folder, 'service.mjs'), wrapped(''));
    const args = ['--base-url', variables.BASE_URL, '--start', 'node service.mjs'];
    const { stdout } = await init(args, folder, {});
    expect(stdout).toContain('The key in .env is a new one: replace it unless');
    const { API_KEY: newKey } = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
    expect(newKey).toMatch(/^[0-9a-f]{32}$/);
    expect(stdout).not.toContain(newKey);
    const firstRun = await runCommand(FEW, { PORT: variables.PORT }, folder);
    expect(firstRun.stderr).toBe('');
    expect(firstRun.stdout).toContain('Verdict: conformant (partial).');
    expect(firstRun.code).toBe(0);
  });
});

test.concurrent('without flags and key init writes a file to fill in', async () => {
  await inFolder(async (folder) => {
    const { code, stdout } = await init([], folder, {});
    expect(code).toBe(0);
    expect(stdout).toContain(
      'The address in .env is http://127.0.0.1:3000/v1: change it if the service is elsewhere.',
    );
    expect(stdout).toContain('Add the key to .env, after API_KEY=');
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(
      'BASE_URL=http://127.0.0.1:3000/v1\nAPI_KEY=\n',
    );
  });
});
