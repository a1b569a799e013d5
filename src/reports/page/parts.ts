import { type Html, html, type Value } from '../html.ts';
import type { Report } from '../report.ts';
import { type Changes, changeRows, changesText } from '../since.ts';

/** A slug that breaks behind its dot where there is no room. */
export function breakable(slug: string): Html[] {
  return slug.split(/(?<=\.)/).map((part) => html`${part}<wbr>`);
}

/** A sentence whose words in backticks are code. */
export function withCode(sentence: string): Value[] {
  return sentence.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** A link to the place of a requirement on the page. */
export function linkTo(slug: string): Html {
  return html`<a href="#${slug}">${breakable(slug)}</a>`;
}

/** A list in which a comma stands between any two. */
export function listed(parts: readonly Html[]): Html {
  return html`${parts.map((part, at) => html`${at > 0 && ', '}${part}`)}`;
}

/** A table of rows that begin with their name. */
export function facts(rows: readonly (readonly [name: Value, value: Value])[]): Html {
  return html`<table><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}</tbody></table>`;
}

/** What has changed since an earlier run; what the page shows is linked. */
export function changesPart(changes: Changes, { requirements }: Pick<Report, 'requirements'>, title: string): Html {
  const known = new Set(requirements.map(({ id }) => id));
  const named = (slug: string) => (known.has(slug) ? linkTo(slug) : html`<code>${slug}</code>`);
  const rows = changeRows(changes).map(
    ({ name, slugs, style }) =>
      [html`<span class="${style}">${slugs.length} ${name}</span>`, listed(slugs.map(named))] as const,
  );
  return html`<section><h2 id="changes">${title}</h2>
<p>${changesText(changes)}</p>
${facts(rows)}</section>`;
}
