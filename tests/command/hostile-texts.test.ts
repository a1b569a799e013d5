import { XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { harmIn, NASTY } from '../nasty.ts';
import type { Patch, Request } from '../services/service.ts';
import { contentOf } from '../shell.ts';
import { type JudgedByCommand, judgeByCommand } from './judge-by-command.ts';

/** Returns every string value of a JSON document. */
function textsIn(json: string): string[] {
  const texts: string[] = [];
  JSON.parse(json, (_, value) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
}

/** Returns a text as HTML character references. */
const characterReferences = (text: string) =>
  [...text].map((character) => `&#${character.charCodeAt(0)};`).join('');

/** Returns every form of the key that a target may send back. */
const formsOf = (key: string) => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key),
  Buffer.from(key).toString('base64'),
  characterReferences(key),
];

/** Responds with harmful texts, and with the key in every form. */
const hostile: Patch = (service) => {
  const { handle, key } = service;
  const forms = formsOf(key);
  // A message that shortens such a text could keep half of the key.
  const paddedForms = Object.fromEntries(
    [20, 60, 90, 110].flatMap((length) =>
      forms.map((form, index) => [`at${length}-${index}`, `${'x'.repeat(length)}${form}`]),
    ),
  );
  const texts = [NASTY, ...Object.values(paddedForms)];
  const users = texts.map((text, id) => ({ id, email: text, name: text, [text]: text }));
  const headers = {
    'x-first': key.slice(0, 11),
    'x-second': key.slice(11),
    'x-echo': forms.join(' '),
    'x-nasty': '::add-mask::x ##[add-mask]x',
  };
  const hostileData = (request: Request) => {
    if (request.query.size > 0) return NASTY;
    return request.headers['accept-encoding'] === undefined ? users : paddedForms;
  };
  service.handle = async (request) => {
    const reply = await handle(request);
    if (request.method === 'GET' && reply.status === 200) {
      const body = {
        ...(reply.body as object),
        data: hostileData(request),
        total: NASTY,
        name: paddedForms,
        email: paddedForms,
      };
      return { ...reply, headers, body };
    }
    const echo = {
      forms,
      headers: request.headers,
      path: request.path,
      query: String(request.query),
    };
    const body = { echo, reply: reply.body };
    return request.method === 'POST'
      ? { status: 400, headers, body: `${NASTY}${JSON.stringify(body)}` }
      : { status: 500, headers: { ...reply.headers, ...headers }, body };
  };
};

describe('a target that responds with harmful texts and with the key', () => {
  let judged: JudgedByCommand;

  beforeAll(async () => {
    judged = await judgeByCommand(hostile, { GITHUB_ACTIONS: 'true' });
  });

  test('the output has only the commands that the suite prints for CI', () => {
    const commands = judged.stdout.split('\n').filter((line) => /^\s*(::|##\[)/.test(line));
    expect(commands.length).toBeGreaterThan(0);
    const suiteCommand = /^::(error title=|warning title=|group::[✓–] [\w, -]+$|endgroup::$)/;
    expect(commands.filter((line) => !suiteCommand.test(line))).toEqual([]);
  });

  test('no text for people has a control character', () => {
    const { stdout, files } = judged;
    const allureFiles = files.filter(({ path }) => path.includes('/allure-results/'));
    const texts = [
      stdout,
      contentOf(files, 'summary.md'),
      contentOf(files, 'report.html'),
      ...allureFiles.flatMap(({ path, content }) =>
        path.endsWith('.json') ? textsIn(content) : [content],
      ),
    ];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
    const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
    expect(texts.filter((text) => control.test(text))).toEqual([]);
  });

  test('neither the output nor a file harms its readers', () => {
    const { stdout, files } = judged;
    // A step of CI may print any file into its log.
    for (const { path, content } of [{ path: 'terminal', content: stdout }, ...files])
      expect(harmIn(content), path).toEqual([]);
    expect(XMLValidator.validate(contentOf(files, 'junit.xml'))).toBe(true);
  });

  test('the script in summary.md cannot leave its fence', () => {
    const summary = contentOf(judged.files, 'summary.md');
    expect(summary).toContain('<script>');
    const outside = summary.replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '').replace(/(`+) .*? \1/g, '');
    expect(outside).not.toContain('<script>');
  });

  test('no output has the key', () => {
    const { stdout, stderr, files, apiKey } = judged;
    const texts = [stdout, stderr, ...files.map(({ content }) => content)];
    expect(texts.filter((text) => text.includes('<API_KEY>')).length).toBeGreaterThan(10);
    const secrets = [
      apiKey,
      apiKey.slice(0, 11),
      apiKey.slice(11),
      apiKey.slice(1),
      apiKey.slice(0, -1),
      Buffer.from(apiKey).toString('base64').slice(0, 20),
      characterReferences(apiKey.slice(0, 4)),
    ];
    const inCapitals = texts.map((text) => text.toUpperCase());
    for (const secret of secrets) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
      expect(inCapitals.filter((text) => text.includes(secret.toUpperCase()))).toEqual([]);
    }
  });
});
