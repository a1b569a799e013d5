import { counted } from '../verdict/verdict.ts';
import { changeList, changesSince, changesText } from './changes.ts';
import { look, verdictText } from './look.ts';
import * as page from './page/parts.ts';
import { chaptersOf, type Report, type ReportedRequirement, score } from './report.ts';
import { code, dateText, type Html, html, inertJson, prose, table } from './text.ts';

/** What the reports of several implementations say, side by side: in each row a value for each implementation. */
export type Comparison = ReturnType<typeof compareReports>;

/**
 * Compares the reports, in the order in which they are given; `links` lead to their pages, from the folder of the
 * comparison. Pure.
 */
export function compareReports(reports: Report[], links: (string | undefined)[] = []) {
  const [first, second, ...more] = reports;
  const fact = (name: string, of: (report: Report) => string) => [name, ...reports.map(of)];
  const rows = requirementRows(reports).map(({ name, values }) => {
    const { level, sentence, chapter } = values.find(
      (value) => value !== undefined,
    ) as ReportedRequirement;
    const outcomes = values.map((value) => value?.outcome);
    const failed = outcomes.includes('failed') || outcomes.includes('known-failure');
    const cells = reports.map(({ scope }, at) => {
      const one = values[at];
      return {
        ...one,
        ...(one
          ? look(one, scope.strict)
          : { style: 'gray', symbol: '·', words: 'not in this set' }),
      };
    });
    return { name, level, chapter, sentence, cells, differs: differs(outcomes), failed };
  });
  /** By chapter. */
  const requirements = chaptersOf(rows).flatMap(([, own]) => own);
  return {
    reports,
    links,
    /** Of two reports: what is different in the second. */
    ...(first && second && more.length === 0 && { changes: changesSince(first, second) }),
    names: distinctNames(reports),
    /** The runs, and how many requirements passed of those that are applicable. */
    facts: [
      fact('verdict', verdictText),
      fact('reason', ({ because }) => because),
      fact('MUST passed', (report) => score(report, 'MUST')),
      fact('SHOULD passed', (report) => score(report, 'SHOULD')),
      fact('base address', ({ target }) => target.baseUrl),
      fact('date', ({ start }) => dateText(start)),
      fact('suite version', ({ suite }) => suite.version),
      fact('requirement set', ({ suite }) => suite.requirementSet),
    ],
    requirements,
    /** What fails in one of them, known or not: first what holds in another. */
    failed: requirements
      .filter((row) => row.failed)
      .sort((a, b) => Number(b.differs) - Number(a.differs)),
    /** What each does where the interface leaves it open; an empty value where the run did not see it. */
    choices: observationRows(reports).map((row) => ({
      ...row,
      differs: differs(row.values.map(String)),
    })),
  };
}

const differs = (values: unknown[]) => new Set(values).size > 1;

/** The implementations' names, no two of them the same. */
function distinctNames(reports: Report[]): string[] {
  const names = reports.map(({ target }) => target.name);
  const isTwice = (all: string[], name: string) => all.indexOf(name) !== all.lastIndexOf(name);
  const addressed = names.map((name, at) =>
    isTwice(names, name) ? `${name} (${reports[at]?.target.baseUrl})` : name,
  );
  return addressed.map((name, at) =>
    isTwice(addressed, name) ? `${name}, report ${at + 1}` : name,
  );
}

/** The files of a comparison, by their names. */
export const comparisonFiles = (comparison: Comparison) => ({
  'comparison.html': comparisonHtml(comparison),
  'comparison.md': comparisonMarkdown(comparison),
  'comparison.json': inertJson(comparisonJson(comparison)),
});

/** The comparison as one page that stands alone, differences first. Reports are not trusted: all of them is escaped. */
export function comparisonHtml(comparison: Comparison): string {
  const { reports, names, links, facts, changes, requirements, failed, choices } = comparison;
  const outcomes = (rows: Comparison['requirements']) => {
    const cells = rows.map(({ name, level, sentence, cells }) => [
      html`${level} <code id="${name}">${page.breakable(name)}</code><div>${page.withCode(sentence)}</div>`,
      ...cells.map(outcome),
    ]);
    return page.table(cells, names);
  };
  const chosen = (isWanted: boolean) =>
    choices
      .filter(({ differs }) => differs === isWanted)
      .map(({ name, values }) => [name, ...values.map((seen) => seen.join(', ') || 'not seen')]);
  const held = requirements.filter((row) => !row.failed);
  const common = chosen(false);
  const folded = (summary: string, content: Html) =>
    html`<details><summary>${summary}</summary>\n${content}</details>\n`;
  const linked = links.map((link) => link !== undefined && html`<a href="${link}">report</a>`);
  const overview = [...facts, ...(linked.some(Boolean) ? [['report', ...linked]] : [])];
  const body = html`<main>
<h1>Conformance comparison</h1>
<p class="note">User Management Service interface: ${counted(reports.length, 'implementation')}, ${counted(requirements.length, 'requirement')}, ${requirements.filter(({ differs }) => differs).length} with different outcomes</p>
${changes && reports[1] && page.changesPart(changes, reports[1], `From ${names[0]} to ${names[1]}`)}
<h2>Overview</h2>
${page.table(overview, names)}
<h2>Failures</h2>
<p class="note">What fails in one of them, differences first. Open an outcome to see why.</p>
${failed.length > 0 ? outcomes(failed) : html`<p>None.</p>`}
<h2>Without failures</h2>
${folded(counted(held.length, 'requirement'), outcomes(held))}
<h2>Choices</h2>
<p class="note">What the interface leaves open, and what each implementation does.</p>
${page.table(chosen(true), names)}${folded(`${counted(common.length, 'choice')} in common`, page.table(common, names))}</main>`;
  return page.documentOf('Conformance comparison', body);
}

function outcome(cell: Comparison['requirements'][number]['cells'][number]): Html {
  const { expected, got, reason = '' } = cell;
  const shown = page.marked(cell);
  if (reason === '') return shown;
  const why =
    expected === undefined
      ? html`<p>${reason}</p>`
      : html`<p><b>expected</b> ${expected}</p><p><b>got</b> ${got}</p>`;
  return html`<details><summary>${shown}</summary>${why}</details>`;
}

/**
 * The comparison as Markdown: the runs, and what fails in one of them. Reports are not trusted: what they say is text.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const { facts, changes } = comparison;
  const names = comparison.names.map(prose);
  const failed = comparison.failed.map(({ name, level, cells }) => {
    // A pipe would end the cell, also within code.
    return [
      level,
      code(name).replaceAll('|', '\\u007c'),
      ...cells.map(({ symbol, words }) => `${symbol} ${words}`),
    ];
  });
  const overview = facts.map((row) => row.map(prose));
  const parts = [
    '# Conformance comparison',
    ...(changes
      ? [`From ${names.join(' to ')}: ${changesText(changes)}`, changeList(changes)]
      : []),
    table(['', ...names], overview),
    failed.length > 0 ? table(['level', 'requirement', ...names], failed) : 'No requirement fails.',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * The comparison as data: a value for each report, in their order; null where a report's set does not have a
 * requirement.
 */
export function comparisonJson({
  reports,
  names,
  links,
  changes,
  requirements,
  choices,
}: Comparison): object {
  return {
    reports: reports.map(({ verdict, title, target, suite, start, counts }, at) => ({
      ...{ name: names[at], baseUrl: target.baseUrl, start, verdict, title, counts },
      ...{ requirementSet: suite.requirementSet, report: links[at] ?? null },
    })),
    changes: changes ?? null,
    requirements: requirements.map(({ name, level, differs, cells }) => ({
      ...{ id: name, level, differs },
      outcomes: cells.map(({ outcome = null }) => outcome),
    })),
    observations: choices,
  };
}

/** The requirements of reports side by side, by slug; undefined where a report does not have one. Pure. */
const requirementRows = (reports: readonly Report[]) =>
  rowsOf(reports.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one]))));

/** What each service was seen to choose, in the order of the names. Pure. */
const observationRows = (reports: readonly Report[]) =>
  rowsOf(reports.map(({ observations }) => new Map(Object.entries(observations))))
    .map(({ name, values }) => ({ name, values: values.map((value) => value ?? []) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** The names in some columns, and what each column has for it. */
function rowsOf<T>(columns: Map<string, T>[]) {
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  return names.map((name) => ({ name, values: columns.map((column) => column.get(name)) }));
}
