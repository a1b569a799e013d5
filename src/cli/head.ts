import { suite } from '../../specs/suite.ts';
import { screenOf, wrap } from '../reports/look.ts';
import { inertLine } from '../reports/text.ts';

/** Prints the first lines of a run: the suite, some facts by their names, and what the user should know. */
export function printHead(facts: Record<string, string | undefined>, notices: readonly string[] = []): void {
  const { paint, width } = screenOf(process.stdout);
  const lines = [
    paint('bold', `${suite.name} ${suite.version}`),
    ...Object.entries(facts).flatMap(([name, fact]) => (fact ? [`${name}: ${inertLine(fact)}`] : [])),
    ...notices.map((notice) => paint('yellow', wrap(`notice: ${notice}`, width, 2))),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
