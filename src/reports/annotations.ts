import type { Report } from '../report.ts';
import { inert } from './text.ts';

/** Annotations on one run of GitHub Actions: it shows no more than ten of a kind in a step. */
const MOST = 10;

/**
 * The findings of a report as GitHub's workflow commands, a line each: errors for what closes the gate, warnings for the
 * rest. What a target sent is escaped as the commands ask for, so that it can't begin one of its own.
 */
export function annotations({ requirements, scope }: Report): string[] {
  const failed = requirements.filter(({ outcome }) => outcome === 'failed');
  const closes = (level: string) => level === 'MUST' || scope.strict;
  const line = (kind: string) => (one: Report['requirements'][number]) => {
    const title = `${one.level} ${one.id}`;
    return `::${kind} title=${escapeProperty(title)}::${escapeData(`${one.sentence} ${inert(one.reason)}`)}`;
  };
  return [
    ...failed
      .filter(({ level }) => closes(level))
      .slice(0, MOST)
      .map(line('error')),
    ...failed
      .filter(({ level }) => !closes(level))
      .slice(0, MOST)
      .map(line('warning')),
  ];
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
