import { XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { harmIn, NASTY } from '../nasty.ts';
import type { Patch } from '../services/service.ts';
import { judgeByCommand } from './judge-by-command.ts';

/** Every text of a JSON document, as a reader of it sees it. */
function textsIn(json: string): string[] {
  const texts: string[] = [];
  JSON.parse(json, (_, value) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
}

/** Every form of the key that a target may send back. */
const formsOf = (key: string) => [
  ...[key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString('base64')],
  [...key].map((one) => `&#${one.charCodeAt(0)};`).join(''),
];

/** Answers with what does harm, and with the key in every form. */
const hostile: Patch = (service) => {
  const { handle, key } = service;
  const forms = formsOf(key);
  // Where messages cut what they show, half of the key would be left.
  const atCuts = Object.fromEntries(
    [20, 60, 90, 110].flatMap((at) =>
      forms.map((form, index) => [`at${at}-${index}`, `${'x'.repeat(at)}${form}`]),
    ),
  );
  const headers = {
    ...{ 'x-first': key.slice(0, 11), 'x-second': key.slice(11), 'x-echo': forms.join(' ') },
    'x-nasty': '::add-mask::x ##[add-mask]x',
  };
  service.handle = async (request) => {
    const reply = await handle(request);
    if (request.method === 'GET' && reply.status === 200) {
      const texts = [NASTY, ...Object.values(atCuts)];
      const items = texts.map((text, id) => ({ id, email: text, name: text, [text]: text }));
      const data = request.headers['accept-encoding'] === undefined ? items : atCuts;
      const shown = request.query.size === 0 ? data : NASTY;
      return {
        ...reply,
        headers,
        body: { ...(reply.body as object), data: shown, total: NASTY, name: atCuts, email: atCuts },
      };
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

describe('a target that answers with harm and with the key', () => {
  let judged: Awaited<ReturnType<typeof judgeByCommand>>;

  beforeAll(async () => {
    judged = await judgeByCommand(hostile, { GITHUB_ACTIONS: 'true' });
  });

  test('harms no reader of the terminal, of CI, or of a report', () => {
    const { stdout, files } = judged;
    const commands = stdout.split('\n').filter((line) => /^\s*(::|##\[)/.test(line));
    expect(commands.length).toBeGreaterThan(0);
    expect(
      commands.filter(
        (line) => !/^::(error title=|warning title=|group::[✓–] [\w, -]+$|endgroup::$)/.test(line),
      ),
    ).toEqual([]);
    const content = (name: string) => files.find(({ path }) => path.endsWith(name))?.content ?? '';
    const texts = [
      stdout,
      content('summary.md'),
      content('report.html'),
      ...files.flatMap(({ path, content }) => {
        if (!path.includes('/allure-results/')) return [];
        return path.endsWith('.json') ? textsIn(content) : [content];
      }),
    ];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(texts.filter((text) => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))).toEqual(
      [],
    );
    // Logs show what a step prints of any of them.
    const shown = [{ path: 'terminal', content: stdout }, ...files];
    expect(
      shown.flatMap(({ path, content }) => harmIn(content).map((harm) => `${path}: ${harm}`)),
    ).toEqual([]);
    expect(XMLValidator.validate(content('junit.xml'))).toBe(true);
    // In Markdown the script stands in fences that nothing in it can end.
    expect(content('summary.md')).toContain('<script>');
    const outside = content('summary.md')
      .replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '')
      .replace(/(`+) .*? \1/g, '');
    expect(outside).not.toContain('<script>');
  });

  test('finds the key in no output', () => {
    const { stdout, stderr, files, apiKey } = judged;
    const texts = [stdout, stderr, ...files.map(({ content }) => content)];
    expect(texts.filter((text) => text.includes('<API_KEY>')).length).toBeGreaterThan(10);
    const halves = [apiKey.slice(0, 11), apiKey.slice(11)];
    const secrets = [
      ...halves,
      apiKey,
      apiKey.slice(1),
      apiKey.slice(0, -1),
      Buffer.from(apiKey).toString('base64').slice(0, 20),
      [...apiKey.slice(0, 4)].map((one) => `&#${one.charCodeAt(0)};`).join(''),
    ];
    const inCapitals = texts.map((text) => text.toUpperCase());
    for (const secret of [...secrets, ...secrets.map((one) => one.toUpperCase())]) {
      expect(
        texts.filter((text, at) => text.includes(secret) || inCapitals[at]?.includes(secret)),
      ).toEqual([]);
    }
  });
});
