import { html } from '../html.ts';
import type { Report } from '../report.ts';
import { type Changes, changeRows, changesText, sinceText } from '../since.ts';
import type { Part } from './document.ts';
import { breakable } from './parts.ts';

/** What has changed since an earlier run, or by another title; what this page has leads to its place. */
export function changesPart(
  changes: Changes | undefined,
  { requirements }: Pick<Report, 'requirements'>,
  title = changes && sinceText(changes),
): Part | string {
  if (changes === undefined) return '';
  const slugPart = (slug: string) =>
    requirements.some(({ id }) => id === slug)
      ? html`<a href="#${slug}">${breakable(slug)}</a>`
      : html`<code>${slug}</code>`;
  const rows = changeRows(changes).map(
    ({ name, slugs, style }) =>
      html`<div class="change"><dt class="kind ${style}">${name} ${slugs.length}</dt><dd>${slugs.map((slug, at) => html`${at > 0 && ', '}${slugPart(slug)}`)}</dd></div>\n`,
  );
  return html`<section class="changes"><h2 id="changes">${title}</h2>
<p>${changesText(changes)}</p>
${rows.length > 0 && html`<dl>${rows}</dl>`}</section>`;
}
