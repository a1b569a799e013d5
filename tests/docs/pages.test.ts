import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import reportSchema from '../../schemas/report.schema.json' with { type: 'json' };
import { requirements } from '../../specs/index.ts';
import { REQUIREMENT_SET } from '../../specs/suite.ts';
import { readFlags, switches, valueFlags } from '../../src/cli/flags.ts';
import { select } from '../../src/settings/selection.ts';
import { settingRows } from '../../src/settings/table.ts';
import { EXIT } from '../../src/verdict/verdict.ts';
import { filesBelow } from '../shell.ts';
import * as example from './example-requirement.ts';
import { anchors, blocks, pages, ROOT, read, shellLines, words } from './text.ts';

/** Slugs that a reader of CONTRIBUTING.md makes. */
const MADE = example.requirements.map(({ slug }) => slug);

const slugs = requirements.map(({ slug }) => slug);

/** The flags of the commands that are no settings, and of the programs that the documentation calls besides. */
const OTHER_FLAGS: Record<string, string[]> = {
  explain: ['--help'],
  again: ['--only', '--skip', '--strict', '--report-dir'],
  compare: ['--report-dir', '--help'],
  init: ['--base-url', '--start', '--ci', '--action', '--help'],
  allure: ['--single-file', '--output'],
  bench: ['--tests', '--rounds', '--only', '--against'],
  git: ['--force'],
  docker: ['--rm', '--user', '--network'],
  npm: ['--no-save', '--omit', '--no', '--ignore-scripts'],
  vitest: ['--config', '--mode'],
  curl: ['--compressed', '--globoff', '--path-as-is', '--cert', '--key', '--cacert'],
};

/** The arguments of every start of the suite in shell lines. */
const starts = (text: string) =>
  shellLines(text).flatMap((line) => {
    const [, args] =
      /(?:node_modules\/.bin\/user-management-conformance|node user-management-conformance.mjs|npm run conformance(?: --(?= ))?)(.*)/.exec(
        line,
      ) ?? [];
    return args === undefined ? [] : [words(args.replace(/ (\|\||&&|;|\|) .*/, ''))];
  });

describe.each(pages)('$path', ({ path, text }) => {
  test('links lead to files, headings and addresses that are there', () => {
    const prose = text.replaceAll(/^ *(`{3,}).*?^ *\1$/gms, '');
    for (const [, link = ''] of prose.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https:\/\/[^ ]+$/.test(link)) continue;
      const [file = '', anchor] = link.split('#');
      const target = join(dirname(path), file);
      expect(existsSync(join(ROOT, file === '' ? path : target)), link).toBe(true);
      if (anchor !== undefined)
        expect(anchors(file === '' ? text : read(target)), link).toContain(anchor);
    }
  });

  test('what it names is there: scripts of npm, flags, variables, files, slugs', () => {
    for (const [, script] of text.matchAll(/npm run ([\w-]+)/g))
      expect(packageJson.scripts).toHaveProperty(`${script}`);
    const flags = [
      ...settingRows.flatMap(({ flag }) => (flag ? [`--${flag}`] : [])),
      ...[...switches, ...valueFlags].map((name) => `--${name}`),
      ...Object.values(OTHER_FLAGS).flat(),
    ];
    // A bar across a Markdown table and a comment begin with dashes, too.
    for (const [flag] of text.matchAll(/(?<![\w<-])--[a-z][\w-]*/g)) expect(flags).toContain(flag);
    const variables: string[] = settingRows.map(({ variable }) => variable);
    for (const [name] of text.matchAll(/CONFORMANCE_[A-Z_]+/g)) expect(variables).toContain(name);
    const named = [
      ...[...text.matchAll(/`([^`\s*]+)`/g)].map(([, name = '']) => name),
      ...shellLines(text).flatMap(words),
    ];
    for (const name of named.filter((one) =>
      /^(src|specs|tests|schemas|bin|docs|reference)\/./.test(one),
    )) {
      expect(existsSync(join(ROOT, name)), name).toBe(true);
    }
    const known = [...slugs, ...MADE];
    const prefixes = slugs.map((slug) => slug.split('.')[0]);
    for (const name of named.filter((one) => /^[a-z-]+\.[a-z0-9-]+$/.test(one))) {
      if (prefixes.includes(name.split('.')[0])) expect(known).toContain(name);
    }
  });

  test('its lines that start the suite have arguments that the suite takes', () => {
    for (const [first, ...rest] of starts(text)) {
      const known = OTHER_FLAGS[first ?? ''];
      if (known) {
        for (const flag of rest.filter((word) => word.startsWith('--')))
          expect(known).toContain(flag);
      } else if (first !== undefined) {
        const { CONFORMANCE_ONLY = '', CONFORMANCE_SKIP = '' } = readFlags([first, ...rest]).values;
        const patterns = (value: string) => value.split(' ').filter((one) => one !== '');
        const all = [...slugs, ...MADE].map((slug) => ({ slug }));
        const selection = { only: patterns(CONFORMANCE_ONLY), skip: patterns(CONFORMANCE_SKIP) };
        expect(select(all, selection).length).toBeGreaterThan(0);
      }
    }
  });
});

test('there are lines that start the suite', () => {
  expect(pages.flatMap(({ text }) => starts(text)).length).toBeGreaterThan(15);
});

test('the help is short, and has every flag with its default, and every switch', () => {
  const lines = read('src/cli/help.txt').trimEnd().split('\n');
  const lineOf = (flag: string) =>
    lines.find((line) => new RegExp(`^  (?=-).*--${flag}(?![\\w-])`).test(line));
  for (const { flag, kind, default: fallback } of settingRows) {
    if (flag === undefined) continue;
    expect(lineOf(flag), flag).toMatch(new RegExp(`--${flag}${kind.isSwitch ? '  ' : ' [^ ]'}`));
    if (!kind.isSwitch && fallback) expect(lineOf(flag), flag).toContain(`(default ${fallback})`);
  }
  const others = [...switches, ...valueFlags];
  for (const name of others) expect(lineOf(name), name).toBeDefined();
  expect(lines.length).toBeLessThanOrEqual(56);
});

test.each(['', '/again', '/compare', '/explain', '/init'])(
  'the help%s has lines of 80 columns',
  (command) => {
    for (const line of read(`src/cli/help${command}.txt`).split('\n'))
      expect([...line].length, line).toBeLessThanOrEqual(80);
  },
);

test('the README is one page, and has every exit code', () => {
  const readme = read('README.md');
  expect(Buffer.byteLength(readme)).toBeLessThan(6000);
  expect(readme.split('\n').length).toBeLessThanOrEqual(110);
  for (const code of Object.values(EXIT))
    expect(readme).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  const others = pages.filter(({ path }) => !/^README|^docs\/(guides|requirements)\//.test(path));
  for (const { path } of others) expect(readme).toContain(`](${path})`);
});

test('the README counts the requirements of each chapter', () => {
  const readme = read('README.md');
  const count = (level: string, title?: string) =>
    requirements.filter(
      (requirement) =>
        requirement.level === level && (title === undefined || requirement.chapter === title),
    ).length;
  const rows = [...readme.matchAll(/^\| \[(.+)\]\(.+\) \| (\d+) \| (\d+) \|/gm)];
  expect(rows.map(([, title]) => title)).toEqual([
    ...new Set(requirements.map(({ chapter }) => chapter)),
  ]);
  for (const [, title = '', musts, shoulds] of rows)
    expect([count('MUST', title), count('SHOULD', title)], title).toEqual([
      Number(musts),
      Number(shoulds),
    ]);
  expect(rows).toHaveLength(8);
  expect(readme).toContain(
    `${requirements.length} requirements in eight chapters: ${count('MUST')} MUSTs and ${count('SHOULD')} SHOULDs.`,
  );
});

test('each dependency has its reason in CONTRIBUTING', () => {
  const contributing = read('CONTRIBUTING.md');
  const { dependencies, devDependencies, overrides } = packageJson;
  for (const name of Object.keys({ ...dependencies, ...devDependencies }))
    expect(contributing).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\| .+ \\|$`, 'm'));
  for (const [name, version] of Object.entries(overrides))
    expect(contributing).toMatch(new RegExp(`pins \`${name}\`.* to ${version}:`));
});

test('the names that CONTRIBUTING gives for a file are in that file', () => {
  const rows = [...read('CONTRIBUTING.md').matchAll(/^\| `([^`]+\.ts)` \| (.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(8);
  for (const [, path = '', text = ''] of rows)
    for (const [, name = ''] of text.matchAll(/`(\w+)`/g))
      expect(read(path), path).toMatch(new RegExp(`\\b${name}\\b`));
});

test('nothing is fetched by a name that others can take or move, and no package runs scripts beside the key', () => {
  const examples = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' }).map(
    (one) => `examples/${one}`,
  );
  const workflows = ['ci', 'release'].map((name) => `.github/workflows/${name}.yml`);
  const others = ['action.yml', ...workflows, ...examples].filter((path) =>
    /\.(yml|md)$/.test(path),
  );
  const all = [...pages, ...others.map((path) => ({ path, text: read(path) }))];
  expect(JSON.parse(read('package.json')).private).toBe(true);
  for (const { path, text } of all.filter((one) => !/CHANGELOG/.test(one.path))) {
    expect(text, path).not.toMatch(/npx (?!--no -- )user-management/);
    // Without the package, npx exits with 1, the code of a non-conformant service, and a shell with 127.
    for (const line of shellLines(text)) expect(line, path).not.toMatch(/npx .*user-management/);
    for (const [use] of text.matchAll(/uses: (?!OWNER|\.\/)\S*@.*/g))
      expect(use, path).toMatch(/@[0-9a-f]{40} # v\d/);
    for (const [install] of text.matchAll(/npm (?:i|install) .*/g))
      expect(install, path).toContain('--ignore-scripts');
  }
});

test('the settings have every variable with its flag and default, and every switch', () => {
  const lines = read('docs/settings.md').split('\n');
  const lineOf = (name: string) => lines.find((line) => line.startsWith(`| \`${name}\``));
  for (const row of settingRows) {
    const line = lineOf(row.variable);
    expect(line, row.variable).toContain(row.flag ? `\`--${row.flag}\`` : '| |');
    if (row.variable.startsWith('CONFORMANCE_'))
      expect(line, row.variable).toContain(`| ${row.default || 'none'} |`);
  }
  const others = [...switches, ...valueFlags].map((name) => `--${name}`);
  for (const name of others) expect(lineOf(name), name).toBeDefined();
});

test('the reports have every property of conformance.json', () => {
  const text = read('docs/reports.md');
  const [top = '', requirement = ''] = text.split('A requirement:\n');
  const { properties, $defs } = reportSchema;
  for (const name of Object.keys(properties)) expect(top).toContain(`| \`${name}\` |`);
  for (const name of Object.keys($defs.requirement.properties))
    expect(requirement).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'));
  for (const name of Object.keys($defs.exchange.properties))
    expect(requirement).toContain(`\`${name}\``);
  for (const { properties: inner } of [
    properties.suite,
    properties.target,
    properties.scope,
    properties.users,
  ]) {
    for (const name of Object.keys(inner)) expect(top).toContain(`\`${name}\``);
  }
});

test('the changelog has the version of the package and of the set of requirements', () => {
  const changelog = read('CHANGELOG.md');
  expect(changelog).toMatch(
    new RegExp(`^## \\[${packageJson.version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'),
  );
  expect(changelog).toContain(`Requirement set ${REQUIREMENT_SET}:`);
});

test('each message of the page on trouble is one of the code', () => {
  const rows = [...read('docs/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, message = '']) => message,
  );
  expect(rows.length).toBeGreaterThan(20);
  const files = filesBelow(join(ROOT, 'src')).filter(({ path }) =>
    /(?<!\.test)\.(ts|txt)$/.test(path),
  );
  const code = [
    ...files.map(({ content }) => content),
    read('bin/start.mjs'),
    read('bin/build.mjs'),
    read('action.yml'),
  ];
  for (const message of rows) {
    const parts = message.split('…').filter((part) => part.trim() !== '');
    expect(
      code.some((text) => parts.every((part) => text.includes(part.trim()))),
      message,
    ).toBe(true);
  }
});

test('every block says what it is written in', () => {
  for (const { path, text } of pages) {
    for (const { language } of blocks(text)) expect(language, path).not.toBe('');
  }
});

test('the action has the default of each setting that has a number', () => {
  const { inputs } = parse(read('action.yml'));
  for (const { flag, kind, default: fallback } of settingRows)
    if (flag && /^\d+$/.test(fallback) && !kind.isSwitch)
      expect(inputs[flag].description, flag).toContain(`(${fallback})`);
});

test('the README names each standard that is a source', () => {
  const texts = requirements.map(({ source }) => source.text).join();
  const [, named = ''] = /\(RFC ([\d,\s]+)\)/.exec(read('README.md')) ?? [];
  for (const [, number] of texts.matchAll(/RFC (\d+)/g))
    expect(named.split(/,\s+/)).toContain(number);
});

test('each message of the page on troubleshooting is one that the suite prints', () => {
  const sources = ['src', 'bin', 'specs'].flatMap((path) => filesBelow(join(ROOT, path)));
  const printed = [read('action.yml'), ...sources.map(({ content }) => content)].join();
  for (const [, message = ''] of read('docs/troubleshooting.md').matchAll(/^\| `(.+?)` \|/gm))
    for (const part of message.split('…').map((one) => one.trim()))
      expect(printed, message).toContain(part);
});
