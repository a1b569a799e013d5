import { basename } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
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

test.concurrent('what a target sends can harm no reader of the terminal, of CI, or of a report', async () => {
  const { stdout, files } = await judgeByCommand(
    (service) => {
      service.list = () => ({
        status: 200,
        headers: { 'x-nasty': '::add-mask::x ##[add-mask]x' },
        body: { data: NASTY, total: NASTY },
      });
      service.created = (user) => ({ status: 400, body: `${NASTY}${user.name}` });
    },
    { GITHUB_ACTIONS: 'true' },
  );
  const commands = stdout.split('\n').filter((line) => /^\s*(::|##\[)/.test(line));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.filter((line) => !/^::(error|warning) title=/.test(line))).toEqual([]);
  const content = (name: string) => files.find(({ path }) => path.endsWith(name))?.content ?? '';
  const texts = [
    stdout,
    content('summary.md'),
    content('report.html'),
    ...files.filter(({ path }) => path.includes('/allure-results/')).flatMap((one) => textsIn(one.content)),
  ];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(texts.filter((text) => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))).toEqual([]);
  // Logs show what a step prints of any of them.
  const shown = [{ path: 'terminal', content: stdout }, ...files];
  expect(shown.flatMap(({ path, content }) => harmIn(content).map((harm) => `${path}: ${harm}`))).toEqual([]);
  expect(XMLValidator.validate(content('junit.xml'))).toBe(true);
  // In Markdown the script stands in fences that nothing in it can end.
  const outside = content('summary.md')
    .replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '')
    .replace(/(`+) .*? \1/g, '');
  expect(outside).not.toContain('<script>');
});

test.concurrent('the key is in no output, also when the target sends it back in every form', async () => {
  const args = ['--write-known-failures', 'known.yml'];
  const patch: Patch = (service) => {
    const { handle, key } = service;
    const inHtml = [...key].map((one) => `&#${one.charCodeAt(0)};`).join('');
    const forms = [key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString('base64'), inHtml];
    // Where messages cut what they show, half of the key would be left.
    const atCuts = Object.fromEntries(
      [20, 60, 90, 110].flatMap((at) => forms.map((form, index) => [`at${at}-${index}`, `${'x'.repeat(at)}${form}`])),
    );
    service.handle = async (request) => {
      const reply = await handle(request);
      if (request.method === 'GET' && reply.status === 200) {
        const items = Object.values(atCuts).map((text, id) => ({ id, email: text, name: text, [text]: text }));
        const data = request.headers['accept-encoding'] === undefined ? items : atCuts;
        return { ...reply, body: { ...(reply.body as object), data, name: atCuts, email: atCuts } };
      }
      const halves = { 'x-first': key.slice(0, 11), 'x-second': key.slice(11) };
      const echo = { forms, headers: request.headers, path: request.path, query: String(request.query) };
      return {
        status: 500,
        headers: { ...reply.headers, ...halves, 'x-echo': forms.join(' ') },
        body: { echo, reply: reply.body },
      };
    };
  };
  const { stdout, stderr, files, apiKey } = await judgeByCommand(patch, {}, args);
  expect(files.map(({ path }) => basename(path))).toContain('known.yml');
  const texts = [stdout, stderr, ...files.map(({ content }) => content)];
  expect(texts.length).toBeGreaterThan(10);
  const halves = [apiKey.slice(0, 11), apiKey.slice(11)];
  const secrets = [
    ...halves,
    apiKey,
    apiKey.slice(1),
    apiKey.slice(0, -1),
    Buffer.from(apiKey).toString('base64').slice(0, 20),
    [...apiKey.slice(0, 4)].map((one) => `&#${one.charCodeAt(0)};`).join(''),
  ];
  for (const secret of [...secrets, ...secrets.map((one) => one.toUpperCase())]) {
    expect(texts.filter((text) => text.includes(secret) || text.toUpperCase().includes(secret))).toEqual([]);
  }
});
