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

/** The exit code of a run: that of its verdict, or 1 if known failures are out of date. */
export const exitCodeOf = ({ verdict, knownFailures }: ReportedVerdict): number =>
  knownFailures.toChange.length > 0 ? EXIT['non-conformant'] : EXIT[verdict];

interface ReportedVerdict {
  verdict: Verdict;
  knownFailures: { toChange: readonly unknown[] };
}

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
 * What one outcome does to the run, for everything that shows it: the console, Vitest's tests, JUnit, Allure,
 * annotations, the badge and the exit code. Pure.
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
 * Decides the verdict of a run, the reasons for it, and which known failures are out of date. Those fail the job; the
 * verdict is about the service alone. Pure. A run that judged nothing is never conformant; `obstacle` is the sentence
 * on why it could not judge anything of the target.
 */
export function decide(
  judged: readonly JudgedRequirement[],
  terms: Terms & { partial?: boolean; obstacle?: string | undefined },
) {
  const toChange = entriesToChange(terms.knownFailures, judged);
  const effects = judged.map((one) => effectOf(one, terms.strict));
  const failed = effects.filter((one) => one === 'fails').length;
  const open = effects.filter((one) => one === 'leaves open').length;
  const decision = (verdict: Verdict, because: string) => ({ verdict, because, toChange });
  const { obstacle } = terms;
  if (failed > 0) {
    const rest = obstacle === undefined ? '' : ` ${obstacle}`;
    return decision('non-conformant', `${counted(failed, 'requirement')} failed.${rest}`);
  }
  const places = toChange.map(({ file, line }) => `${file}:${line}`);
  const stale =
    places.length === 0
      ? []
      : [`Known failures are out of date, which fails the job: ${places.join(', ')}.`];
  const inconclusive = (why: string) => decision('inconclusive', [why, ...stale].join(' '));
  if (open > 0)
    return inconclusive(obstacle ?? `${counted(open, 'requirement')} could not be verified.`);
  if (!judged.some(isJudged)) return inconclusive('No requirement was judged.');
  const reasons = [whatHolds(judged, terms), ...withKnown(judged), ...stale];
  return decision('conformant', reasons.join(' '));
}

const isJudged = ({ outcome }: JudgedRequirement): boolean =>
  outcome === 'passed' || outcome === 'failed' || outcome === 'known-failure';

function whatHolds(
  all: readonly JudgedRequirement[],
  { strict, partial }: Terms & { partial?: boolean },
): string {
  const judged = all.filter(isJudged);
  if (judged.some(({ level }) => level === 'MUST')) {
    const isKnown = judged.some(
      ({ level, outcome }) => outcome === 'known-failure' && (level === 'MUST' || strict),
    );
    const isPart = partial || all.some(({ excused }) => excused);
    return `Every ${isKnown ? 'other ' : ''}${strict ? 'MUST and SHOULD' : 'MUST'}${isPart ? ' that was judged' : ''} holds.`;
  }
  const failed = judged.filter(({ outcome }) => outcome === 'failed').length;
  if (judged.every(({ outcome }) => outcome === 'known-failure')) return 'No MUST was judged.';
  const warned =
    failed === 0
      ? 'every SHOULD that was judged holds'
      : `${failed} of ${judged.length} SHOULDs failed`;
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
  const left =
    unjudged === 0
      ? ''
      : `; ${counted(unjudged, 'requirement')} could not be judged because of ${them}`;
  return [`${counted(known.length, 'known failure')} (${names})${left}.`];
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
  /** Whether its last day is over: it applies no more. */
  expired: boolean;
}

/** The reason of an entry that a run has added, until a person gives one. */
export const NO_REASON = 'TODO: why is this accepted?';

/** `2 entries need a reason: known.yml:3, known.yml:7`; undefined if all have one. */
export function unexplainedText(listed: readonly ListedFailure[]): string | undefined {
  const places = listed.flatMap(({ reason, file, line }) =>
    reason.startsWith(NO_REASON) ? [`${file}:${line}`] : [],
  );
  if (places.length === 0) return undefined;
  const need = places.length === 1 ? '1 entry needs' : `${places.length} entries need`;
  return `${need} a reason: ${places.join(', ')}`;
}

/** The accepted failures of the file that settings name; none where they name no file. Rejects with a SettingsError. */
export async function listedFailures({
  knownFailures: file,
  target,
}: Settings): Promise<ListedFailure[]> {
  if (file === undefined) return [];
  // Loaded only where there is a file: parsers take longer than all settings.
  const { readKnownFailures } = await import('./known-failures.ts');
  return readKnownFailures(file.path, file.name, new Date(), target?.apiKey);
}

/**
 * What an outcome counts as when these failures are accepted: an entry past its date accepts nothing. Where only a
 * regression fails the run, `isOld` says what did not hold before: its failure is known, and what could not be verified
 * of it leaves nothing open. Pure.
 */
export function accept(
  outcome: Outcome,
  listed: readonly ListedFailure[],
  isOld: (slug: string) => boolean = () => false,
): Outcome {
  const entryOf = (slug: string) => listed.find((entry) => entry.slug === slug && !entry.expired);
  const entry = entryOf(outcome.slug);
  if (outcome.outcome === 'failed' && (entry || isOld(outcome.slug))) {
    const { reason, expires, link } = entry ?? { reason: 'it did not hold in the baseline' };
    const accepted = expires === undefined ? reason : `${reason}, until ${expires}`;
    return {
      ...outcome,
      outcome: 'known-failure',
      reason: `${accepted} (${outcome.reason})`,
      ...(link && { link }),
    };
  }
  if (outcome.outcome !== 'not-verified') return outcome;
  // What can't be judged because of a failure that is accepted must not leave the run open in its stead.
  if (outcome.needs !== undefined && entryOf(outcome.needs)) {
    return { ...outcome, excused: true, reason: `${outcome.reason}, a known failure` };
  }
  return isOld(outcome.slug) ? { ...outcome, excused: true } : outcome;
}

/**
 * The entries that can't stay as they are. One whose requirement was not judged is not stale, and it is known: `judged`
 * holds every requirement, also those that a filter left out. Pure.
 */
export function entriesToChange(
  listed: readonly ListedFailure[],
  judged: readonly { slug: string; outcome: OutcomeName }[],
) {
  // A run that crashed before its first check knows no requirements.
  if (judged.length === 0) return [];
  const slugs = judged.map(({ slug }) => slug);
  return listed.flatMap(({ slug, file, line, expired, expires }) => {
    const entry = (why: 'stale' | 'unknown' | 'expired', message: string) => [
      { slug, why, file, line, message },
    ];
    const found = judged.find((one) => one.slug === slug);
    if (found === undefined)
      return entry('unknown', `${slug} names no requirement: ${adviceFor(slug, slugs)}`);
    if (found.outcome === 'passed') return entry('stale', `${slug} passes now: remove this entry`);
    if (expired)
      return entry(
        'expired',
        `the entry for ${slug} ended on ${expires}: fix it or give it a new date`,
      );
    return [];
  });
}

/** `known.yml:7: list.total-integer passes now: remove this entry`. */
export const lineToChange = ({
  file,
  line,
  message,
}: ReturnType<typeof entriesToChange>[number]): string => `${file}:${line}: ${message}`;

function adviceFor(slug: string, slugs: string[]): string {
  const meant = nearest(slug, slugs);
  return meant ? `did you mean ${meant}?` : 'remove this entry, or take the name from a report';
}
