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
import { parse } from 'yaml';
import { COMMAND, inFolder, installCommand, run } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { FEW, target, wrapped } from './started.ts';

const API_KEY = 'Init-key_of $4711';
const ADDRESS = ['--base-url', 'https://api.example.com/v1'];
const GITHUB = [...ADDRESS, '--ci', 'github', '--action', 'us/suite@v1'];

// What init writes by flags, and the run that follows, is in package.test.ts.

const init = (args: string[], folder: string, env: Record<string, string> = { API_KEY }) =>
  runCommand(['init', ...args], env, folder);

test.concurrent.each([
  [['--base-url', 'users.example.com'], '--base-url must be an http or https address'],
  [['--base-url', 'https://ann:secret@api.example.com/v1'], '--base-url must not contain a user'],
  [
    ['--base-url', 'https://api.example.com'],
    '--base-url must end in /v1: did you mean https://api.example.com/v1?',
  ],
  [
    ['--base-url', 'https://api.example.com/v1/users'],
    '--base-url must end in /v1: did you mean https://api.example.com/v1?',
  ],
  [['--base-url', 'http://here/V1'], '--base-url must end in /v1: did you mean http://here/v1?'],
  [['--ci', 'gitlab'], 'In CI no service runs at http://127.0.0.1:3000/v1: add --start'],
  [
    ['--base-url', `https://api.example.com/${encodeURIComponent(API_KEY)}/v1`],
    'An argument holds the key',
  ],
  [[...ADDRESS, '--start', 'API_KEY=4711 npm start'], 'The command contains a key or a password'],
  [[...ADDRESS, '--start', 'serve --token abc'], 'The command contains a key or a password'],
  [
    [...ADDRESS, '--start', "serve --header 'Authorization: Bearer abc'"],
    'The command contains a key or a password',
  ],
  [
    [...ADDRESS, '--start', 'DB=postgres://ann:pw@db/users npm start'],
    'The command contains a key or a password',
  ],
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
])('a shell reads .env with the command %s as the suite does', async (command) => {
  await inFolder(async (folder) => {
    expect((await init([...ADDRESS, '--start', command], folder)).stderr).toBe('');
    const text = readFileSync(join(folder, '.env'), 'utf8');
    const told = 'set -a; . ./.env; env';
    const { stdout } = await run('sh', ['-c', told], {}, folder);
    for (const [name, value] of Object.entries({
      API_KEY,
      BASE_URL: ADDRESS[1],
      CONFORMANCE_START: command,
    })) {
      expect(parseEnv(text)[name]).toBe(value);
      expect(stdout.split('\n')).toContain(`${name}=${value}`);
    }
  });
});

test.concurrent('what no line can say to both is refused', async () => {
  await inFolder(async (folder) => {
    const { code, stderr } = await init(ADDRESS, folder, { API_KEY: "Both-kinds'of $4711" });
    expect(stderr).toContain("API_KEY has characters that .env and a shell don't read alike");
    expect([code, readdirSync(folder)]).toEqual([2, []]);
  });
});

test.concurrent('git says whether .env is ignored', async () => {
  await inFolder(async (folder) => {
    await run('git', ['init', '-q'], {}, folder);
    writeFileSync(join(folder, '.gitignore'), '*\n!.env\n');
    const { stdout } = await init(ADDRESS, folder);
    expect(stdout).toContain('Written: .gitignore, .env\n');
    // It can be pasted, and needs no npx.
    expect(stdout).toContain(`\nCheck the service: ${relative(folder, COMMAND)}\n`);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n!.env\n.env\n');
  });
  await inFolder(async (folder) => {
    await run('git', ['init', '-q'], {}, folder);
    writeFileSync(join(folder, '.gitignore'), '.e*\n/rep*\n');
    expect((await init(ADDRESS, folder)).stdout).toContain('Written: .env\n');
  });
  // git says nothing of what is behind a link.
  await inFolder(async (folder) => {
    await run('git', ['init', '-q'], {}, folder);
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync('elsewhere', join(folder, 'node_modules'));
    writeFileSync(join(folder, '.gitignore'), '.e*\n/rep*\nnode_modules\n');
    expect((await init(ADDRESS, folder)).stdout).toContain('Written: .env\n');
  });
  // What is tracked is not ignored, whatever .gitignore says.
  await inFolder(async (folder) => {
    await run('git', ['init', '-q'], {}, folder);
    writeFileSync(join(folder, '.env'), '');
    await run('git', ['add', '.env'], {}, folder);
    rmSync(join(folder, '.env'));
    const { code, stderr } = await init(ADDRESS, folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('git rm --cached .env')]);
    expect(existsSync(join(folder, '.env'))).toBe(false);
  });
});

test.concurrent.each(['.env', '.gitignore', '.github', '.github/workflows'])(
  'init writes through no link: %s',
  async (path) => {
    await inFolder(async (elsewhere) => {
      await inFolder(async (folder) => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        symlinkSync(
          path.startsWith('.github') ? elsewhere : join(elsewhere, 'file'),
          join(folder, path),
        );
        const { code, stderr } = await init(GITHUB, folder);
        expect([code, stderr]).toEqual([
          2,
          `${path} is a symbolic link, and init writes through none.\n`,
        ]);
      });
      expect(readdirSync(elsewhere)).toEqual([]);
    });
  },
);

test.concurrent.each([
  ['package-lock.json', 'setup-node', 'npm ci'],
  ['requirements.txt', 'setup-python', 'pip install -r requirements.txt'],
  ['pom.xml', 'setup-java', 'mvn -B -q package -DskipTests'],
  ['go.mod', 'setup-go', 'go build ./...'],
])(
  'the workflow sets up what a project with %s needs, keeps no token, and stands beside other files',
  async (file, action, command) => {
    await inFolder(async (folder) => {
      for (const one of ['package.json', file]) writeFileSync(join(folder, one), '');
      writeFileSync(join(folder, '.env'), 'BASE_URL=mine\n');
      const { code, stdout, stderr } = await init([...GITHUB, '--start', 'make serve'], folder);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(
        'Unchanged: .env\nAdd the secret API_KEY to the repository at GitHub, unless the service accepts any key that it gets as API_KEY: us/suite@v1 gets it.\n',
      );
      expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('BASE_URL=mine\n');
      const { jobs } = parse(
        readFileSync(join(folder, '.github/workflows/conformance.yml'), 'utf8'),
      );
      const [checkout, setUp, build, suite] = jobs.conformance.steps;
      expect(checkout.with).toEqual({ 'persist-credentials': false });
      expect(setUp.uses).toMatch(new RegExp(`^actions/${action}@[0-9a-f]{40}$`));
      expect(build).toEqual({ run: command });
      const env = { API_KEY: "${{ secrets.API_KEY || 'a-key-for-this-job-alone' }}" };
      expect(suite).toMatchObject({ uses: 'us/suite@v1', with: { start: 'make serve' }, env });
    });
  },
);

test.concurrent('installed packages are ignored', async () => {
  await inFolder(async (folder) => {
    installCommand(folder);
    await init(ADDRESS, folder);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe(
      '.env\nreports/\nnode_modules/\n',
    );
  });
});

test.concurrent('where no file tells the language, the command that starts the service does', async () => {
  await inFolder(async (folder) => {
    await init([...GITHUB, '--start', 'java Service.java'], folder);
    const { jobs } = parse(readFileSync(join(folder, '.github/workflows/conformance.yml'), 'utf8'));
    const uses = jobs.conformance.steps.map((step: { uses: string }) => step.uses.split('@')[0]);
    expect(uses).toEqual(['actions/checkout', 'actions/setup-java', 'us/suite']);
  });
});

test.concurrent('a job for GitLab that has a file already is shown', async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, '.gitlab-ci.yml'), 'stages: [test]\n');
    const { stdout } = await init([...ADDRESS, '--ci', 'gitlab'], folder);
    expect(stdout).toContain(
      'Unchanged: .gitlab-ci.yml\nAdd to .gitlab-ci.yml:\nconformance:\n  image: node:22\n',
    );
    expect(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8')).toBe('stages: [test]\n');
  });
});

test.concurrent('a job for GitLab starts the service, which takes a key of the job', async () => {
  await inFolder(async (folder) => {
    await init([...ADDRESS, '--start', 'npm start', '--ci', 'gitlab'], folder);
    const { conformance } = parse(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8'));
    expect(conformance.variables).toEqual({ API_KEY: 'a-key-for-this-job-alone' });
    expect(conformance.script.at(-1)).toBe(
      "node_modules/.bin/user-management-conformance --base-url 'https://api.example.com/v1' --start 'npm start'",
    );
  });
});

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

test.concurrent('init takes the address, the key and the command from .env', async () => {
  await inFolder(async (folder) => {
    const env = `BASE_URL=http://127.0.0.1:4000/v1\nAPI_KEY='${API_KEY}'\nCONFORMANCE_START='make run'\n`;
    writeFileSync(join(folder, '.env'), env);
    const { stdout, stderr } = await init(GITHUB.slice(2), folder, {});
    expect(stderr).toBe('');
    expect(stdout).toContain('Unchanged: .env\n');
    expect(stdout).not.toContain('Add the key to .env');
    const { jobs } = parse(readFileSync(join(folder, '.github/workflows/conformance.yml'), 'utf8'));
    expect(jobs.conformance.steps.at(-1).with).toMatchObject({
      'base-url': 'http://127.0.0.1:4000/v1',
      start: 'make run',
    });
  });
});

test.concurrent('init says what an existing .env lacks', async () => {
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

test.concurrent('the run after init passes for a service that conforms and takes its key from API_KEY', async () => {
  await inFolder(async (folder) => {
    const { PORT, BASE_URL } = await target(folder);
    writeFileSync(join(folder, 'service.mjs'), wrapped(''));
    const args = ['--base-url', BASE_URL, '--start', 'node service.mjs'];
    const { stdout } = await init(args, folder, {});
    expect(stdout).toContain('The key in .env is a new one: replace it unless');
    const { API_KEY: key } = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(stdout).not.toContain(key);
    const run = await runCommand(FEW, { PORT }, folder);
    expect(run.stderr).toBe('');
    expect(run.stdout).toContain('Verdict: conformant (partial).');
    expect(run.code).toBe(0);
  });
});

test.concurrent('without flags and key it writes a file to fill in', async () => {
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
