import type { OutcomeName } from '../outcome.ts';
import { type Report, type ReportedRequirement, verdictTitle } from '../report.ts';
import { counted } from '../verdict.ts';
import { exchangeText, inert } from './text.ts';

/** The report as Markdown, for people and for the job summary of a CI. */
export function markdown(report: Report): string {
  const { requirements, target, users } = report;
  const of = (outcome: OutcomeName) => requirements.filter((one) => one.outcome === outcome);
  const failed = of('failed');
  const origin = new URL(target.baseUrl).origin;
  return [
    `# Conformance of ${code(target.name)}: ${verdictTitle(report)}`,
    `${report.because} Target: ${code(target.baseUrl)}${target.embeddedReference ? ' (the embedded reference service)' : ''}.`,
    counts(report),
    `${counted(report.requests, 'request')}, ${counted(users.created, 'user')} created${users.created ? ` (tag ${code(users.tag)})` : ''}, ${(report.duration / 1000).toFixed(1)} s, suite ${report.suite.version}, requirement set ${report.suite.requirementSet}.`,
    answers(report),
    findings(
      'Failed',
      failed.filter(({ level }) => level === 'MUST'),
      origin,
    ),
    findings(
      'Warnings',
      failed.filter(({ level }) => level === 'SHOULD'),
      origin,
    ),
    reasons('Known failures', of('known-failure')),
    reasons('Not verified', of('not-verified')),
    reasons('Not applicable', of('not-applicable')),
    observations(report),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function counts({ counts }: Report): string {
  const outcomes = Object.keys(counts.MUST) as OutcomeName[];
  const row = (level: 'MUST' | 'SHOULD') => `| ${level} | ${outcomes.map((name) => counts[level][name]).join(' | ')} |`;
  return [
    `| level | ${outcomes.map((name) => name.replace('-', ' ')).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(outcomes.length)}`,
    row('MUST'),
    row('SHOULD'),
  ].join('\n');
}

function answers({ answerTimes: { median, slowest } }: Report): string {
  if (median === undefined) return '';
  const rows = slowest.map(({ exchange, duration }) => `${duration} ms ${code(exchange)}`);
  return `Answers took ${median} ms in the median; the slowest: ${rows.join(', ')}.`;
}

function findings(title: string, rows: ReportedRequirement[], origin: string): string {
  if (rows.length === 0) return '';
  const details = rows.map((one) => {
    const exchanges = one.exchanges.map((exchange) => fenced(exchangeText(exchange, origin)));
    return [
      `### ${one.id} (${one.level})`,
      `${one.sentence} — ${one.source.url ? `[${one.source.text}](${one.source.url})` : one.source.text}`,
      `- expected: ${code(one.expected ?? '')}\n- got: ${code(one.got ?? one.reason)}`,
      exchanges.length === 0 ? '' : `<details><summary>Exchanges</summary>\n\n${exchanges.join('\n\n')}\n\n</details>`,
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return [`## ${title}`, ...details].join('\n\n');
}

function reasons(title: string, rows: ReportedRequirement[]): string {
  if (rows.length === 0) return '';
  return [`## ${title}`, rows.map(({ id, level, reason }) => `- ${level} ${id}: ${code(reason)}`).join('\n')].join(
    '\n\n',
  );
}

function observations({ observations }: Report): string {
  const rows = Object.entries(observations).map(([name, values]) => `- ${name}: ${values.map(code).join(', ')}`);
  return rows.length === 0 ? '' : `## Observations\n\n${rows.join('\n')}`;
}

/** Inline code that no content can end: Markdown and HTML in it stay text. */
export function code(text: string): string {
  const line = inert(text).replace(/\s*\n\s*/g, ' ');
  const fence = '`'.repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
