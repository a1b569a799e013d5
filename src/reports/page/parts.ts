import { createHash } from 'node:crypto';
import { readText } from '../../settings/text-file.ts';
import type { RequirementAppearance } from '../appearance.ts';
import { changeRows, changesText } from '../changes.ts';
import { Html, html, type Value } from '../html.ts';
import type { Changes, Report } from '../report.ts';

import { sanitize } from '../text.ts';
import { FILTER_STYLE } from './filter-style.ts';

/** Returns a slug that may break after its dot. */
export const breakable = (slug: string): Html[] =>
  slug.split(/(?<=\.)/).map((part) => html`${part}<wbr>`);

/** Returns a sentence with its words in backticks as code. */
export const withCode = (sentence: string): Value[] =>
  sentence.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** Returns a link to a requirement on the page. */
export const linkTo = (slug: string): Html => html`<a href="#${slug}">${breakable(slug)}</a>`;

/** Joins parts with commas. */
export const joinHtml = (parts: readonly Html[]): Html =>
  html`${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}`;

/** Returns the symbol of an appearance in its color, and its words or another text. */
export const symbolAndText = (
  { style, symbol, words }: RequirementAppearance,
  text = words,
): Html => html`<strong class="${style}">${symbol} ${text}</strong>`;

/** Returns a table. Each row begins with its label. */
export function table(rows: readonly (readonly Value[])[]): Html {
  const row = ([label, ...values]: readonly Value[]) =>
    html`<tr><th scope="row">${label}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>\n`;
  return html`<table><tbody>${rows.map(row)}</tbody></table>`;
}

/** Returns the changes since an earlier run, with links to the requirements of the page. */
export function changesPart(
  changes: Changes,
  { requirements }: Pick<Report, 'requirements'>,
  title: string,
): Html {
  const slugsOnPage = new Set(requirements.map(({ id }) => id));
  const slugPart = (slug: string) =>
    slugsOnPage.has(slug) ? linkTo(slug) : html`<code>${slug}</code>`;
  const rows = changeRows(changes).map(({ text, slugs, style }) => [
    html`<span class="${style}">${text}</span>`,
    joinHtml(slugs.map(slugPart)),
  ]);
  return html`<section><h2 id="changes">${title}</h2>
<p>${changesText(changes)}</p>
${table(rows)}</section>`;
}

/**
 * Returns a page that loads nothing. Its policy makes a browser apply the page's own style and run
 * no script. Values are escaped.
 */
export function documentOf(title: string, body: Html): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return sanitize(String(page));
}

const STYLE_FILE = readText('./style.css', import.meta.url);

/** The style of a page. A browser normalizes line ends before it compares the hash. */
const STYLE = `${STYLE_FILE.replaceAll('\r\n', '\n')}${FILTER_STYLE}`;
