import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import { nearest } from '../settings/nearest.ts';
import type { Settings } from '../settings/settings.ts';

export type Verdict = 'conformant' | 'non-conformant' | 'inconclusive';

/** The command's exit codes, one meaning each. */
export const EXIT = {
  conformant: 0,
  'non-conformant': 1,
  settings: 2,
  inconclusive: 3,
  fault: 4,
} as const;

/** Returns the exit code of a run: that of its verdict, or 1 if known failures are out of date. */
export const exitCodeOf = ({ verdict, knownFailures }: ReportedVerdict): number =>
  knownFailures.toChange.length > 0 ? EXIT['non-conformant'] : EXIT[verdict];

interface ReportedVerdict {
  verdict: Verdict;
  knownFailures: { toChange: readonly unknown[] };
}

/** A requirement with its outcome, as far as the verdict depends on it. */
export interface JudgedRequirement extends Pick<Outcome, 'slug' | 'outcome' | 'excused'> {
  level: Level;
}

/** The effect of one outcome on the run. */
export type Effect = 'fails' | 'leaves open' | 'warns' | 'none';

/**
 * Returns the effect of an outcome. The terminal, Vitest's tests, JUnit, Allure, annotations, the
 * badge and the exit code all use it, so that they agree. Pure.
 */
export function effectOf(
  { level, outcome, excused }: Omit<JudgedRequirement, 'slug'>,
  strict: boolean,
): Effect {
  const counts = level === 'MUST' || strict;
  if (outcome === 'failed') return counts ? 'fails' : 'warns';
  return outcome === 'not-verified' && counts && !excused ? 'leaves open' : 'none';
}

/** The settings that a verdict depends on besides the outcomes. */
export interface Terms {
  /** A failed SHOULD also fails the run. */
  strict: boolean;
  knownFailures: readonly ListedFailure[];
}

/** The terms of a verdict and the limits of its run. */
export interface RunTerms extends Terms {
  partial?: boolean;
  /** A sentence that explains why the run could judge nothing. */
  obstacle?: string | undefined;
}

/** A verdict, its reasons, and the known failures that are out of date. */
export interface Decision {
  verdict: Verdict;
  because: string;
  toChange: EntryToChange[];
}

/**
 * Decides the verdict of a run. Known failures that are out of date fail the job, not the service:
 * the verdict is about the service alone. A run that judged nothing is never conformant. Pure.
 */
export function decide(judged: readonly JudgedRequirement[], terms: RunTerms): Decision {
  const { strict, knownFailures, obstacle = '' } = terms;
  const toChange = entriesToChange(knownFailures, judged);
  const effects = judged.map((requirement) => effectOf(requirement, strict));
  const failed = effects.filter((effect) => effect === 'fails').length;
  const open = effects.filter((effect) => effect === 'leaves open').length;
  const outdated = outdatedSentence(toChange);
  if (failed > 0) {
    const because = joinSentences([`${counted(failed, 'requirement')} failed.`, obstacle]);
    return { verdict: 'non-conformant', because, toChange };
  }
  if (open > 0) {
    const reason = obstacle || `${counted(open, 'requirement')} could not be verified.`;
    return { verdict: 'inconclusive', because: joinSentences([reason, outdated]), toChange };
  }
  if (!judged.some(isJudged)) {
    const because = joinSentences(['No requirement was judged.', outdated]);
    return { verdict: 'inconclusive', because, toChange };
  }
  const because = joinSentences([
    passedSentence(judged, terms),
    knownFailuresSentence(judged),
    outdated,
  ]);
  return { verdict: 'conformant', because, toChange };
}

const joinSentences = (sentences: readonly string[]): string =>
  sentences.filter((sentence) => sentence !== '').join(' ');

/** Returns the sentence on known failures that are out of date; empty if none is. */
function outdatedSentence(toChange: readonly EntryToChange[]): string {
  if (toChange.length === 0) return '';
  const places = toChange.map(({ file, line }) => `${file}:${line}`);
  return `Known failures are out of date, which fails the job: ${places.join(', ')}.`;
}

const isJudged = ({ outcome }: JudgedRequirement): boolean =>
  outcome === 'passed' || outcome === 'failed' || outcome === 'known-failure';

/** Returns the sentence on the requirements that hold. */
function passedSentence(
  requirements: readonly JudgedRequirement[],
  { strict, partial }: RunTerms,
): string {
  const judged = requirements.filter(isJudged);
  if (judged.some(({ level }) => level === 'MUST')) {
    const hasKnownFailure = judged.some(
      ({ level, outcome }) => outcome === 'known-failure' && (level === 'MUST' || strict),
    );
    const isPartial = partial || requirements.some(({ excused }) => excused);
    const every = hasKnownFailure ? 'Every other' : 'Every';
    const levels = strict ? 'MUST and SHOULD' : 'MUST';
    return `${every} ${levels}${isPartial ? ' that was judged' : ''} holds.`;
  }
  if (judged.every(({ outcome }) => outcome === 'known-failure')) return 'No MUST was judged.';
  const failed = judged.filter(({ outcome }) => outcome === 'failed').length;
  if (failed === 0) return 'No MUST was judged; every SHOULD that was judged holds.';
  return `No MUST was judged; ${failed} of ${judged.length} SHOULDs failed.`;
}

/** The most known failures that a sentence names. */
const MAX_NAMES = 3;

/**
 * Returns the sentence on known failures and on the requirements that could not be judged because
 * of them; empty if there are none.
 */
function knownFailuresSentence(requirements: readonly JudgedRequirement[]): string {
  const slugs = requirements
    .filter(({ outcome }) => outcome === 'known-failure')
    .map(({ slug }) => slug);
  if (slugs.length === 0) return '';
  const names = slugs.slice(0, MAX_NAMES);
  if (slugs.length > MAX_NAMES) names.push(`${slugs.length - MAX_NAMES} more`);
  const known = `${counted(slugs.length, 'known failure')} (${names.join(', ')})`;
  const excused = requirements.filter((requirement) => requirement.excused).length;
  if (excused === 0) return `${known}.`;
  const cause = slugs.length === 1 ? 'it' : 'them';
  return `${known}; ${counted(excused, 'requirement')} could not be judged because of ${cause}.`;
}

/** `1 requirement`, `2 requirements`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A failure that a team accepts for the time being: see schemas/known-failures.schema.json. */
export interface KnownFailure {
  slug: string;
  reason: string;
  /** The last day on which it is accepted, such as `2026-10-31`. */
  expires?: string;
  /** An http or https address, such as that of a ticket. */
  link?: string;
}

/** An entry of a file of known failures, with its place there. */
export interface ListedFailure extends KnownFailure {
  /** The file's path as the user gave it. */
  file: string;
  line: number;
  /** Whether its last day is over, so that it no longer applies. */
  expired: boolean;
}

/** The reason of an entry that a run added, until a person gives one. */
export const NO_REASON = 'TODO: why is this accepted?';

/** Returns `2 entries need a reason: known.yml:3, known.yml:7`; undefined if all have one. */
export function unexplainedText(listed: readonly ListedFailure[]): string | undefined {
  const unexplained = listed.filter(({ reason }) => reason.startsWith(NO_REASON));
  const places = unexplained.map(({ file, line }) => `${file}:${line}`);
  if (places.length === 0) return undefined;
  const need = places.length === 1 ? '1 entry needs' : `${places.length} entries need`;
  return `${need} a reason: ${places.join(', ')}`;
}

/**
 * Returns the accepted failures of the file in the settings; none if the settings have no file.
 * Rejects with a SettingsError.
 */
export async function listedFailures({
  knownFailures: file,
  target,
}: Settings): Promise<ListedFailure[]> {
  if (file === undefined) return [];
  // Loaded only if there is a file: the parser takes longer to load than all settings.
  const { readKnownFailures } = await import('./known-failures.ts');
  return readKnownFailures(file.path, file.name, new Date(), target?.apiKey);
}

/**
 * Returns an outcome as it counts when these failures are accepted. An expired entry accepts
 * nothing. If only a regression fails the run, `failedBefore` tells which requirements did not hold
 * in the baseline: a failure of one is known, and if it could not be verified, that leaves nothing
 * open. Pure.
 */
export function accept(
  outcome: Outcome,
  listed: readonly ListedFailure[],
  failedBefore: (slug: string) => boolean = () => false,
): Outcome {
  const entryFor = (slug: string) => listed.find((entry) => entry.slug === slug && !entry.expired);
  const { slug, needs } = outcome;
  if (outcome.outcome === 'failed') {
    const entry = entryFor(slug);
    if (entry) return knownFailure(outcome, entry);
    if (failedBefore(slug))
      return knownFailure(outcome, { reason: 'it did not hold in the baseline' });
    return outcome;
  }
  if (outcome.outcome !== 'not-verified') return outcome;
  // An accepted failure must not leave the run open through the requirements that depend on it.
  if (needs !== undefined && entryFor(needs))
    return { ...outcome, excused: true, reason: `${outcome.reason}, a known failure` };
  return failedBefore(slug) ? { ...outcome, excused: true } : outcome;
}

function knownFailure(
  outcome: Outcome,
  { reason, expires, link }: Pick<KnownFailure, 'reason' | 'expires' | 'link'>,
): Outcome {
  const accepted = expires === undefined ? reason : `${reason}, until ${expires}`;
  return {
    ...outcome,
    outcome: 'known-failure',
    reason: `${accepted} (${outcome.reason})`,
    ...(link && { link }),
  };
}

/** A known failure that is out of date, with its place and the advice to the team. */
export interface EntryToChange extends Pick<ListedFailure, 'slug' | 'file' | 'line'> {
  why: 'stale' | 'unknown' | 'expired';
  message: string;
}

/**
 * Returns the entries that are out of date. `judged` also holds the requirements that a filter left
 * out: an entry for one of them is neither stale nor unknown. Pure.
 */
export function entriesToChange(
  listed: readonly ListedFailure[],
  judged: readonly { slug: string; outcome: OutcomeName }[],
): EntryToChange[] {
  // A run that crashed before its first check has no requirements.
  if (judged.length === 0) return [];
  const outcomes = new Map(judged.map(({ slug, outcome }) => [slug, outcome]));
  return listed.flatMap(({ slug, file, line, expired, expires }): EntryToChange[] => {
    const outcome = outcomes.get(slug);
    if (outcome === undefined) {
      const message = `${slug} names no requirement: ${adviceFor(slug, [...outcomes.keys()])}`;
      return [{ slug, why: 'unknown', file, line, message }];
    }
    if (outcome === 'passed') {
      const message = `${slug} passes now: remove this entry`;
      return [{ slug, why: 'stale', file, line, message }];
    }
    if (!expired) return [];
    const message = `the entry for ${slug} ended on ${expires}: fix it or give it a new date`;
    return [{ slug, why: 'expired', file, line, message }];
  });
}

/** Returns `known.yml:7: list.total-integer passes now: remove this entry`. */
export const lineToChange = ({ file, line, message }: EntryToChange): string =>
  `${file}:${line}: ${message}`;

function adviceFor(slug: string, slugs: readonly string[]): string {
  const suggestion = nearest(slug, slugs);
  if (suggestion === undefined) return 'remove this entry, or take the name from a report';
  return `did you mean ${suggestion}?`;
}
