import { readdirSync, readFileSync } from 'node:fs';
import { Marked } from 'marked';

// `bin/build.mjs` replaces this module by its values, so that a run loads neither the files nor the
// library.

const FOLDER = new URL('../docs/guides/', import.meta.url);

/** The slug of a requirement and the Markdown of its guide, from the first section on. */
const sections = readdirSync(FOLDER).map((name): [string, string] => {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');
  return [name.replace(/\.md$/, ''), text.slice(text.indexOf('\n## ') + 1)];
});

const marked = new Marked({
  walkTokens(token) {
    // On a page, a guide is below a heading of the second level.
    if (token.type === 'heading') token.depth += 1;
    // HTML is shown as text.
    if (token.type === 'html') token.type = 'text';
  },
});

/** The guides in Markdown, by the slugs of their requirements. */
export const guides: Readonly<Record<string, string>> = Object.fromEntries(sections);

/** The guides in HTML, by the slugs of their requirements. */
export const guidesAsHtml: Readonly<Record<string, string>> = Object.fromEntries(
  sections.map(([slug, text]) => [slug, marked.parse(text, { async: false })]),
);
