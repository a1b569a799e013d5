import { look, type Screen } from './finding-text.ts';
import { wrap } from './paint.ts';
import { LEFT_OUT, type Report } from './report.ts';
import { inertLine } from './text.ts';

/** What has changed since the run before, a line for each requirement: what a user wants to know first. */
export function changes(before: Report, after: Report, { paint, width }: Screen): string {
  const rows = after.requirements.flatMap((one) => {
    const old = before.requirements.find(({ id }) => id === one.id);
    if (old === undefined || old.outcome === one.outcome) return [];
    // A run of a part says nothing of the rest.
    if (old.reason === LEFT_OUT || one.reason === LEFT_OUT) return [];
    const { symbol, style } = look(one, after.scope.strict);
    const why = one.outcome === 'passed' ? '' : `\n      ${paint('gray', wrap(inertLine(one.reason), width, 6))}`;
    return `  ${paint(style, `${symbol} ${one.level.padEnd(6)} ${one.id}`)}: ${words(old.outcome)} → ${words(one.outcome)}${why}`;
  });
  if (rows.length === 0) return 'Nothing has changed since the run before.';
  return [paint('bold', 'Changed since the run before'), ...rows].join('\n');
}

const words = (outcome: string) => outcome.replace('-', ' ');
