import type { Outcome } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import { entriesToChange, type ListedFailure } from './known-failures.ts';

export type Verdict = 'conformant' | 'non-conformant' | 'inconclusive';

/** The command's exit codes, one meaning each. */
export const EXIT = { conformant: 0, 'non-conformant': 1, settings: 2, inconclusive: 3, fault: 4 } as const;

export interface JudgedRequirement extends Pick<Outcome, 'slug' | 'outcome' | 'excused'> {
  level: Level;
}

/** What a verdict hangs on besides the outcomes. */
export interface Terms {
  /** A failed SHOULD fails the run, too. */
  strict: boolean;
  knownFailures: readonly ListedFailure[];
}

/**
 * What one outcome does to the run, for everything that shows it: the console, Vitest's tests, JUnit, Allure, annotations, the
 * badge and the exit code. Pure.
 */
export function effectOf(
  { level, outcome, excused }: Omit<JudgedRequirement, 'slug'>,
  strict: boolean,
): 'fails' | 'leaves open' | 'warns' | 'none' {
  const counts = level === 'MUST' || strict;
  if (outcome === 'failed') return counts ? 'fails' : 'warns';
  return outcome === 'not-verified' && counts && !excused ? 'leaves open' : 'none';
}

/**
 * Decides the verdict of a run, why in one sentence, and which entries of the known failures fail the run until
 * somebody changes them. Pure. A run that judged nothing is never conformant; `obstacle` is the sentence on why it
 * could not judge anything of the target.
 */
export function decide(
  judged: readonly JudgedRequirement[],
  terms: Terms & { partial?: boolean; obstacle?: string | undefined },
) {
  const toChange = entriesToChange(terms.knownFailures, judged);
  const having = (effect: ReturnType<typeof effectOf>) =>
    judged.filter((one) => effectOf(one, terms.strict) === effect);
  const failed = having('fails');
  const open = having('leaves open');
  const decision = (verdict: Verdict, because: string) => ({ verdict, because, toChange });
  const { obstacle } = terms;
  if (failed.length > 0) {
    const rest = obstacle === undefined ? '' : ` ${obstacle}`;
    return decision('non-conformant', `${counted(failed.length, 'requirement')} failed.${rest}`);
  }
  if (toChange.length > 0) {
    const places = toChange.map(({ file, line }) => `${file}:${line}`);
    return decision('non-conformant', `Known failures must be changed: ${places.join(', ')}.`);
  }
  if (open.length > 0) {
    return decision('inconclusive', obstacle ?? `${counted(open.length, 'requirement')} could not be verified.`);
  }
  if (!judged.some(isJudged)) return decision('inconclusive', 'No requirement was judged.');
  return decision('conformant', [whatHolds(judged, terms), ...withKnown(judged)].join(' '));
}

function isJudged({ outcome }: JudgedRequirement): boolean {
  return outcome === 'passed' || outcome === 'failed' || outcome === 'known-failure';
}

function whatHolds(all: readonly JudgedRequirement[], { strict, partial }: Terms & { partial?: boolean }): string {
  const judged = all.filter(isJudged);
  if (judged.some(({ level }) => level === 'MUST')) {
    const isKnown = judged.some(({ level, outcome }) => outcome === 'known-failure' && (level === 'MUST' || strict));
    const isPart = partial || all.some(({ excused }) => excused);
    return `Every ${isKnown ? 'other ' : ''}${strict ? 'MUST and SHOULD' : 'MUST'}${isPart ? ' that was judged' : ''} holds.`;
  }
  const failed = judged.filter(({ outcome }) => outcome === 'failed').length;
  if (judged.every(({ outcome }) => outcome === 'known-failure')) return 'No MUST was judged.';
  const warned = failed === 0 ? 'every SHOULD that was judged holds' : `${failed} of ${judged.length} SHOULDs failed`;
  return `No MUST was judged; ${warned}.`;
}

/** Known failures that are named. */
const NAMED = 3;

/** What is known to fail, and how much could not be judged because of it; nothing where nothing is. */
function withKnown(all: readonly JudgedRequirement[]): string[] {
  const known = all.filter(({ outcome }) => outcome === 'known-failure').map(({ slug }) => slug);
  const unjudged = all.filter(({ excused }) => excused).length;
  if (known.length === 0) return [];
  const [named, more] = [known.slice(0, NAMED), known.length - NAMED];
  const names = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const them = known.length === 1 ? 'it' : 'them';
  const left = unjudged === 0 ? '' : `; ${counted(unjudged, 'requirement')} could not be judged because of ${them}`;
  return [`${counted(known.length, 'known failure')} (${names})${left}.`];
}

/** `1 requirement`, `2 requirements`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
