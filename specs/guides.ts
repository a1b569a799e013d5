import { readdirSync, readFileSync } from 'node:fs';
import { Marked } from 'marked';

// `bin/build.mjs` replaces this module by its values, so that a run loads neither the files nor the
// library.

/** Help for a developer whose service fails a requirement, from the first section on. */
export interface Guide {
  markdown: string;
  html: string;
}

const FOLDER = new URL('../docs/guides/', import.meta.url);

const marked = new Marked({
  walkTokens(token) {
    // On a page, a guide is below a heading of the second level.
    if (token.type === 'heading') token.depth += 1;
    // HTML is shown as text.
    if (token.type === 'html') token.type = 'text';
  },
});

function readGuide(file: string): Guide {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  const markdown = text.slice(text.indexOf('\n## ') + 1);
  return { markdown, html: marked.parse(markdown, { async: false }) };
}

/** The guides by the slugs of their requirements. */
export const guides: Readonly<Record<string, Guide>> = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [file.replace(/\.md$/, ''), readGuide(file)]),
);
