import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Changes } from '../changed.ts';
import { changeRows, changesText } from '../changes.ts';
import type { Report } from '../report.ts';
import { Html, html, inert, type Value } from '../text.ts';
import { FILTER_STYLE } from './filter-style.ts';

/** A slug that breaks behind its dot where there is no room. */
export const breakable = (slug: string) => slug.split(/(?<=\.)/).map((part) => html`${part}<wbr>`);

/** A sentence whose words in backticks are code. */
export const withCode = (sentence: string) =>
  sentence.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** A link to the place of a requirement on the page. */
export const linkTo = (slug: string) => html`<a href="#${slug}">${breakable(slug)}</a>`;

/** A list in which a comma stands between any two. */
export const listed = (parts: readonly Html[]) =>
  html`${parts.map((part, at) => html`${at > 0 && ', '}${part}`)}`;

/** How something looks and is called: nothing hangs on colours. */
export const marked = (
  { style, symbol, words }: Record<'style' | 'symbol' | 'words', string>,
  text = words,
) => html`<strong class="${style}">${symbol} ${text}</strong>`;

/** A table of rows that begin with their name. */
export function table(rows: readonly (readonly Value[])[]): Html {
  const row = ([name, ...values]: readonly Value[]) =>
    html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>\n`;
  return html`<table><tbody>${rows.map(row)}</tbody></table>`;
}

/** What has changed since an earlier run; what the page shows is linked. */
export function changesPart(
  changes: Changes,
  { requirements }: Pick<Report, 'requirements'>,
  title: string,
): Html {
  const known = new Set(requirements.map(({ id }) => id));
  const named = (slug: string) => (known.has(slug) ? linkTo(slug) : html`<code>${slug}</code>`);
  const rows = changeRows(changes).map(({ text, slugs, style }) => [
    html`<span class="${style}">${text}</span>`,
    listed(slugs.map(named)),
  ]);
  return html`<section><h2 id="changes">${title}</h2>
<p>${changesText(changes)}</p>
${table(rows)}</section>`;
}

/** The style of all pages. A browser reads line ends as one character, and so does the policy's hash. */
const STYLE = `${readFileSync(new URL('./style.css', import.meta.url), 'utf8').replaceAll(
  '\r\n',
  '\n',
)}${FILTER_STYLE}`;

/**
 * A page that stands alone: nothing from outside, and a policy by which a browser applies its style alone and runs
 * nothing. Whatever its values hold is shown as text.
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
  return inert(String(page));
}
