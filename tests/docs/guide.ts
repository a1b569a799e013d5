import { marked, type Token, type Tokens } from 'marked';
import { expect } from 'vitest';

/** The sections of a guide, in their order. */
const SECTIONS = ['Why it matters', 'The usual mistake', 'How to fix it', 'What is free'];

/** Columns that a terminal shows without a line break. */
const COLUMNS = 80;

/** A few lines of code that meet a requirement, for one stack. */
interface Fix {
  stack: string;
  language: string | undefined;
  code: string;
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

const isCode = (token: Token): token is Tokens.Code => token.type === 'code';

/** Expects that a text is the guide to a requirement: its title, its link, sections and fixes. */
export function expectGuide(text: string, slug: string): void {
  const [title, , link] = text.split('\n');
  expect(title).toBe(`# ${slug}`);
  const anchor = slug.replace('.', '-');
  const target = new RegExp(`^\\[.+\\]\\(\\.\\./requirements/[a-z-]+\\.md#${anchor}\\)$`);
  expect(link).toMatch(target);

  const tokens = marked.lexer(text);
  const sections = tokens.filter((token) => isHeading(token) && token.depth === 2);
  expect(sections.map(({ raw }) => raw.trim())).toEqual(SECTIONS.map((name) => `## ${name}`));
  expect(new Set(fixesIn(text).map(({ stack }) => stack)).size).toBeGreaterThan(1);
  expect(fixesIn(text).filter(({ language }) => !language)).toEqual([]);

  // A page and a terminal show neither HTML nor links.
  const types: string[] = [];
  marked.walkTokens(tokens, ({ type }) => {
    types.push(type);
  });
  expect(types.filter((type) => type === 'html' || type === 'image')).toEqual([]);
  expect(types.filter((type) => type === 'link')).toHaveLength(1);

  const texts = tokens.slice(tokens.indexOf(sections[0] as Token)).flatMap(textsIn);
  expect(texts.length).toBeGreaterThanOrEqual(3);
  for (const sentences of texts) expect(sentences).toMatch(/^\S.*[.:]$/);
  const lines = text.split('\n').filter((line) => line !== link);
  expect(lines.filter((line) => line.length > COLUMNS || /\t| $/.test(line))).toEqual([]);
}

/** Returns the code of a guide. Each stack has a heading of the third level, and code below it. */
export function fixesIn(text: string): Fix[] {
  const tokens = marked.lexer(text).filter(({ type }) => type !== 'space');
  return tokens.flatMap((token, index): Fix[] => {
    if (!isHeading(token) || token.depth !== 3) return [];
    const code = tokens[index + 1];
    expect(code?.type, token.text).toBe('code');
    return code && isCode(code)
      ? [{ stack: token.text, language: code.lang, code: code.text }]
      : [];
  });
}

/** Returns the section below a heading, each text of it on one line. */
export function sectionIn(text: string, heading: string): string {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  return (section.split(/^## /m)[0] ?? '').replaceAll(/\s+/g, ' ');
}

/** Returns the paragraph of a token, or the items of its list. */
function textsIn(token: Token): string[] {
  if (token.type === 'paragraph') return [oneLine(token.text)];
  return token.type === 'list'
    ? token.items.map((item: Tokens.ListItem) => oneLine(item.text))
    : [];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
