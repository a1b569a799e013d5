import { cutMiddle } from '../http/value.ts';
import type { Screen } from './finding-text.ts';
import { wrap } from './paint.ts';
import type { Report } from './report.ts';
import { changeRows, changesText, sinceText } from './since.ts';
import type { Printed } from './terminal.ts';
import { inertLine } from './text.ts';

/** Slugs of a kind that are named in the terminal, and characters of what came; the page has more. */
const [NAMED, GOT] = [5, 110];

/** What has changed since the baseline, for the terminal: a new failure with what came, the others by their slugs. */
export function changesSummary(
  { changes, requirements }: Report,
  { paint, width }: Screen,
  detail: Printed['detail'],
): string {
  if (changes === undefined) return '';
  const head = `${paint('bold', `${inertLine(sinceText(changes))}:`)} ${changesText(changes)}`;
  if (detail === 'verdict') return head;
  const rows = changeRows(changes).map(({ name, slugs, style }) => {
    const told = slugs.slice(0, NAMED).map((slug) => {
      const got = name === 'new failure' && requirements.find(({ id }) => id === slug)?.got;
      const came = got ? `\n      ${paint('gray', wrap(cutMiddle(inertLine(got), GOT), width, 6))}` : '';
      return `    ${inertLine(slug)}${came}`;
    });
    const left = slugs.length - told.length;
    return [`  ${paint(style, name)}`, ...told, ...(left > 0 ? [`    and ${left} more`] : [])].join('\n');
  });
  return [head, ...rows].join('\n');
}
