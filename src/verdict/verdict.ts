import type { OutcomeName } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import { type EntryToChange, entriesToChange } from './entries-to-change.ts';
import type { ListedFailure } from './known-failures.ts';

export type Verdict = 'conformant' | 'non-conformant' | 'inconclusive';

/** The command's exit codes, one meaning each. */
export const EXIT = { conformant: 0, 'non-conformant': 1, settings: 2, inconclusive: 3, fault: 4 } as const;

export interface Judged {
  slug: string;
  level: Level;
  outcome: OutcomeName;
}

export interface Decision {
  verdict: Verdict;
  /** One sentence. */
  because: string;
  /** Entries of the known failures that close the gate until somebody changes them. */
  toChange: EntryToChange[];
}

/**
 * Decides the verdict of a run. Pure: the same outcomes and settings give the same verdict, for the console, the
 * reports and the exit code. A run that judged nothing is never conformant.
 */
export function decide(
  judged: Judged[],
  settings: { strict: boolean; knownFailures: ListedFailure[]; partial?: boolean },
): Decision {
  const toChange = entriesToChange(settings.knownFailures, judged);
  const closing = judged.filter(({ level }) => level === 'MUST' || settings.strict);
  const failed = closing.filter(({ outcome }) => outcome === 'failed');
  const open = closing.filter(({ outcome }) => outcome === 'not-verified');
  const decision = (verdict: Verdict, because: string) => ({ verdict, because, toChange });

  if (failed.length > 0) return decision('non-conformant', `${counted(failed.length, 'requirement')} failed.`);
  if (toChange.length > 0) {
    const places = toChange.map(({ file, line }) => `${file}:${line}`);
    return decision('non-conformant', `Known failures must be changed: ${places.join(', ')}.`);
  }
  if (open.length > 0) {
    return decision('inconclusive', `${counted(open.length, 'requirement')} could not be verified.`);
  }
  if (!judged.some(({ outcome }) => outcome === 'passed' || outcome === 'known-failure')) {
    return decision('inconclusive', 'No requirement was judged.');
  }
  const every = settings.strict ? 'Every MUST and SHOULD' : 'Every MUST';
  return decision('conformant', `${every}${settings.partial ? ' that was judged' : ''} holds.`);
}

/** `1 requirement`, `2 requirements`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
