import { cutMiddle } from '../http/value.ts';
import type { Screen } from './finding-text.ts';
import { wrap } from './paint.ts';
import type { Report } from './report.ts';
import { type Changes, changeRows, changesText } from './since.ts';
import type { Printed } from './terminal.ts';
import { inertLine, some } from './text.ts';

/** Characters of what came; the page has more. */
const GOT = 110;

/** What has changed since an earlier run, for the terminal: a new failure with what came, the others by their slugs. */
export function changesSummary(
  title: string,
  changes: Changes,
  { requirements }: Pick<Report, 'requirements'>,
  { paint, width, detail }: Screen & Pick<Printed, 'detail'>,
): string {
  const head = `${paint('bold', `${inertLine(title)}:`)} ${changesText(changes)}`;
  if (detail === 'verdict') return head;
  const rows = changeRows(changes).flatMap(({ name, slugs, style }) => {
    if (name !== 'new failure') return [`  ${paint(style, name)}`, `    ${wrap(inertLine(some(slugs)), width, 4)}`];
    const got = (slug: string) => inertLine(requirements.find(({ id }) => id === slug)?.got ?? '');
    const came = (slug: string) => paint('gray', wrap(cutMiddle(got(slug), GOT), width, 6));
    return [`  ${paint(style, name)}`, ...slugs.map((slug) => `    ${inertLine(slug)}\n      ${came(slug)}`)];
  });
  return [head, ...rows].join('\n');
}
