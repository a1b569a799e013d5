import { shorten } from '../http/value.ts';
import type { Level } from '../requirement/requirement.ts';
import { nameOf } from '../settings/names.ts';
import { counted, type Decision, effectOf, isJudged } from '../verdict/verdict.ts';
import { asSentence, earlyEndOf, withStep } from './advice.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { dependText, failures, groupBy, hasSentAll, isLimited } from './selection.ts';
import { abbreviateList } from './text.ts';

/** The parts of a report from which the reason of its verdict is made. */
type JudgedRun = Pick<Report, 'requirements' | 'scope' | 'obstacle' | 'duration'>;

/** Returns the reason of a verdict, in sentences. Pure. */
export function becauseOf(run: JudgedRun, { verdict, toChange }: Decision): string {
  const { requirements, obstacle = '', duration } = run;
  const end = earlyEndOf(requirements, duration)?.sentence ?? '';
  const places = toChange.map(({ file, line }) => `${file}:${line}`).join(', ');
  const outdated = places && `Known failures are out of date, which fails the job: ${places}.`;
  const sentences = {
    'non-conformant': [failedSentence(run), obstacle, end],
    inconclusive: [obstacle || openSentence(run, end !== ''), outdated, end],
    conformant: [
      heldSentence(run),
      smallerSentence(run),
      knownSentence(requirements),
      outdated,
      end,
    ],
  };
  return sentences[verdict].filter((sentence) => sentence !== '').join(' ');
}

const slugsOf = (rows: readonly ReportedRequirement[]): string =>
  abbreviateList(rows.map(({ id }) => id));

function failedSentence(run: JudgedRun): string {
  const { failing } = failures(run);
  return `${counted(failing.length, 'requirement')} failed: ${slugsOf(failing)}.`;
}

/** The most characters of the reason why requirements could not be verified. */
const MAX_REASON = 300;

/** Returns the sentence on the requirements that leave the run open, with the usual reason. */
function openSentence({ requirements, scope }: JudgedRun, hasEnd: boolean): string {
  const open = requirements.filter((row) => effectOf(row, scope.strict) === 'leaves open');
  if (open.length === 0) return 'No requirement was judged.';
  const text = `${counted(open.length, 'requirement')} could not be verified`;
  if (hasEnd) return `${text}.`;
  const groups = groupBy(open, ({ reason }) => reason).map(([, rows]) => rows);
  const [rows = []] = groups.sort((a, b) => b.length - a.length);
  const { needs, reason } = rows[0] ?? { reason: '' };
  const some = rows.length < open.length ? `; ${rows.length} of them` : '';
  const why = needs === undefined ? withStep(reason) : dependText(rows.length, needs);
  return asSentence(`${text}${some}: ${shorten(why, MAX_REASON)}`);
}

/** Returns the sentence on what holds; of a run with limits, on what it judged. */
function heldSentence(run: JudgedRun): string {
  const { requirements, scope } = run;
  const { warnings } = failures(run);
  const failed =
    warnings.length > 0 && `${counted(warnings.length, 'SHOULD')} failed: ${slugsOf(warnings)}.`;
  const judged = requirements.filter(isJudged);
  const isKnown = ({ outcome }: ReportedRequirement) => outcome === 'known-failure';
  if (isLimited(scope) || !judged.some(({ level }) => level === 'MUST')) {
    const levels = (['MUST', 'SHOULD'] as const).map((level) => shareOf(level, run));
    const text = `${levels.join(' and ')} were judged`;
    if (failed) return `${text}, and ${failed}`;
    return judged.some(isKnown) ? `${text}.` : `${text}, and none failed.`;
  }
  const mustHold = judged.filter(({ level }) => level === 'MUST' || scope.strict);
  const every = mustHold.some(isKnown) ? 'Every other' : 'Every';
  const levels = scope.strict ? 'MUST and SHOULD' : 'MUST';
  const limit = requirements.some(({ excused }) => excused) ? ' that was judged' : '';
  const held = `${every} ${levels}${limit} holds.`;
  return failed ? `${held} ${failed}` : held;
}

/** Returns the sentence on what a run without all requests can't show; empty if it sent them. */
const smallerSentence = ({ scope }: JudgedRun): string =>
  hasSentAll(scope)
    ? ''
    : `A fault that needs other requests does not show: ${nameOf('CONFORMANCE_ALL_REQUESTS')} sends all.`;

/** Returns `2 of 59 MUSTs`: how many requirements of a level were judged. */
function shareOf(level: Level, { requirements }: JudgedRun): string {
  const rows = requirements.filter((row) => row.level === level);
  return `${rows.filter(isJudged).length} of ${counted(rows.length, level)}`;
}

/**
 * Returns the sentence on known failures and on the requirements that could not be judged because
 * of them; empty if there are none.
 */
function knownSentence(requirements: readonly ReportedRequirement[]): string {
  const slugs = requirements
    .filter(({ outcome }) => outcome === 'known-failure')
    .map(({ id }) => id);
  if (slugs.length === 0) return '';
  const known = `${counted(slugs.length, 'known failure')} (${abbreviateList(slugs)})`;
  const excused = requirements.filter((requirement) => requirement.excused).length;
  if (excused === 0) return `${known}.`;
  const cause = slugs.length === 1 ? 'it' : 'them';
  return `${known}; ${counted(excused, 'requirement')} could not be judged because of ${cause}.`;
}
