import { relative } from 'node:path';
import { shorten } from '../http/value.ts';
import type { KnownFailure } from '../verdict/known-failures.ts';
import { counted } from '../verdict/verdict.ts';
import { notWritten, replaceFile } from './replace-file.ts';
import type { Report } from './report.ts';
import { inertJson, inertLine } from './text.ts';

/** Characters of a finding in a generated reason; the reports hold more. */
const FINDING = 200;

/**
 * What a file of known failures says after a run: every requirement that failed, with what its entry said before, and the
 * entries that were not judged this time. Stale and unknown ones are left out. Pure.
 */
export function failuresOf({ requirements, knownFailures, start }: Report): KnownFailure[] {
  return requirements.flatMap(({ id, outcome, reason }) => {
    const entry = knownFailures.listed.find(({ slug }) => slug === id);
    if (entry) return outcome === 'passed' ? [] : [entry];
    const finding = shorten(inertLine(reason), FINDING);
    return outcome === 'failed' ? [{ slug: id, reason: `${finding} (as of ${start.slice(0, 10)})` }] : [];
  });
}

/** The text of such a file: JSON where its name ends in `.json`, else YAML. */
export async function knownFailuresText(entries: KnownFailure[], file: string, date: string): Promise<string> {
  if (/\.json$/i.test(file)) return inertJson(entries);
  // Loaded only where it is needed: it takes longer than all else here.
  const { stringify } = await import('yaml');
  const comment =
    entries.length === 0 ? 'nothing failed' : 'replace each generated reason: say why the failure is accepted';
  return `# Known failures, written on ${date}: ${comment}.\n${stringify(entries, { lineWidth: 0 })}`;
}

/**
 * Writes the failures of a run as a file of known failures. Returns a sentence for the user, also when it could not: that
 * it can be written is looked at before the run, and a disk may be full by now.
 */
export async function writeKnownFailures(report: Report, file: string): Promise<string> {
  const entries = failuresOf(report);
  const name = inertLine(relative(process.cwd(), file));
  const text = await knownFailuresText(entries, file, report.start.slice(0, 10));
  try {
    replaceFile(file, text);
  } catch (error) {
    return notWritten(name, error);
  }
  const { listed, toChange } = report.knownFailures;
  const fresh = entries.filter((entry) => !listed.includes(entry)).length;
  const expired = toChange.filter(({ why }) => why === 'expired').length;
  return [
    `${name} written: ${counted(entries.length, 'known failure')}`,
    ...(fresh > 0 ? [`${fresh} of them with a generated reason to replace`] : []),
    ...(expired > 0 ? [`${expired} expired, which still fails the run`] : []),
  ].join(', ');
}
