import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND } from '../shell.ts';

export const ROOT = join(COMMAND, '../..');

/** A file of the project. */
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The pages of the documentation, by their paths. */
export const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'docs/requirements', 'docs/guides'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  ),
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: read(path) }));

/** The fenced blocks of a page, in their order and without the indentation of the fence. */
export function blocks(text: string): { language: string; code: string }[] {
  return [...text.matchAll(/^( *)(`{3,})(\w*)\n(.*?)^ *\2$/gms)].map(
    ([, indentation = '', , language = '', code = '']) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  );
}

/** The lines of a page's shell blocks, without comments. */
export function shellLines(text: string): string[] {
  return blocks(text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .map((line) => line.replace(/ +#.*/, ''))
    .filter((line) => line !== '');
}

/** The words of a simple shell command, without the quotes. */
export function words(command: string): string[] {
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}

/** The anchors of a page: those of its headings, as GitHub makes them, and its own. */
export function anchors(text: string): string[] {
  const prose = text.replaceAll(/^(`{3,}).*?^\1$/gms, '');
  const ofHeadings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...ofHeadings, ...[...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}
