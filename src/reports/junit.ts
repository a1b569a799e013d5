import { effectOf } from '../verdict/verdict.ts';
import { evidenceTimes } from './evidence-times.ts';
import { html } from './html.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { inert, repeat } from './text.ts';
import type { TracedExchange } from './traced.ts';

// By hand: what the registry has for it brings a megabyte of helpers along, and this is all that is needed of the format.

/** What a test case says of its requirement besides its time; nothing where it passed. */
interface Ending {
  kind: 'failure' | 'error' | 'skipped';
  message: string;
  text?: string;
}

/**
 * A run as JUnit's XML: a suite for each chapter, a test case for each requirement. What fails the run is a failure. What could
 * not be verified is an error once for each reason, and skipped where it needs another requirement or only says the same
 * again: one fault, one red line. Pure.
 */
export function junit(report: Report, traced: TracedExchange[]): string {
  const { requirements, suite, scope } = report;
  const times = evidenceTimes(report, traced);
  const endings = endingsOf(report);
  const attributes = (name: string, rows: ReportedRequirement[]) => {
    const count = (kind: Ending['kind']) => rows.filter(({ id }) => endings.get(id)?.kind === kind).length;
    const time = rows.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0);
    const counts = {
      tests: rows.length,
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
    };
    return attributesText({ name, ...counts, time: seconds(time), timestamp: report.start });
  };
  const testCase = ({ id, chapter }: ReportedRequirement) => {
    const head = `    <testcase ${attributesText({ classname: chapter, name: id, time: seconds(times.get(id) ?? 0) })}`;
    const ending = endings.get(id);
    return ending === undefined ? `${head}/>` : `${head}>\n${endingText(ending)}\n    </testcase>`;
  };
  const chapters = [...new Set(requirements.map(({ chapter }) => chapter))].map((chapter) => {
    const rows = requirements.filter((one) => one.chapter === chapter);
    return [`  <testsuite ${attributes(chapter, rows)}>`, ...rows.map(testCase), '  </testsuite>'].join('\n');
  });
  const name = scope.partial ? `${suite.name} (partial)` : suite.name;
  const all = `<testsuites ${attributes(name, requirements)}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', all, ...chapters, '</testsuites>', ''].join('\n');
}

function endingsOf(report: Report): Map<string, Ending> {
  const said = new Set<string>();
  const endings = report.requirements.flatMap((one): [string, Ending][] => {
    const ending = endingOf(one, report, said.has(one.reason));
    if (ending?.kind === 'error') said.add(one.reason);
    return ending === undefined ? [] : [[one.id, ending]];
  });
  return new Map(endings);
}

function endingOf(one: ReportedRequirement, report: Report, isSaid: boolean): Ending | undefined {
  const { id, level, outcome, reason, sentence, source, needs, exchanges } = one;
  const { strict } = report.scope;
  const effect = effectOf({ slug: id, level, outcome }, { strict, knownFailures: [] });
  const stale = report.knownFailures.toChange.find(({ slug }) => slug === id);
  if (outcome === 'passed') return stale && { kind: 'failure', message: stale.message };
  if (effect === 'fails' || effect === 'warns') {
    const line = repeat(exchanges, new URL(report.target.baseUrl).origin);
    const text = [`source: ${source.text}`, reason, ...(line ? [`repeat: ${line}`] : [])].join('\n');
    return { kind: effect === 'fails' ? 'failure' : 'skipped', message: `${level} not met: ${sentence}`, text };
  }
  const isRoot = effect === 'leaves open' && needs === undefined && !isSaid;
  return { kind: isRoot ? 'error' : 'skipped', message: `${outcome.replace('-', ' ')}: ${reason}` };
}

function endingText({ kind, message, text }: Ending): string {
  const head = `      <${kind} ${attributesText({ message })}`;
  return text === undefined ? `${head}/>` : `${head}>${escaped(text)}</${kind}>`;
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

function attributesText(attributes: Record<string, string | number>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escaped(`${value}`).replaceAll('\n', '&#10;')}"`)
    .join(' ');
}

/** XML has the entities of HTML; after `inert` there is no character left that it forbids. */
const escaped = (text: string) => String(html`${inert(text)}`);
