import { nameOf } from '../settings/names.ts';
import type { ReportedRequirement } from './report.ts';

/** The end of a run that stopped early: words for a title, and a sentence. */
export interface EarlyEnd {
  words: 'deadline passed' | 'interrupted';
  sentence: string;
  /** The deadline that should be enough for the run, in milliseconds. */
  deadlineMs?: number;
}

/**
 * Returns the early end of a run, taken from the reasons of the requirements that it did not
 * verify; undefined if it carried out its plan. `duration` is in milliseconds.
 */
export function earlyEndOf(
  requirements: readonly Pick<ReportedRequirement, 'outcome' | 'reason'>[],
  duration: number,
): EarlyEnd | undefined {
  const hasReason = (beginning: string) =>
    requirements.some(
      ({ outcome, reason }) => outcome === 'not-verified' && reason.startsWith(beginning),
    );
  if (hasReason('the run was interrupted'))
    return { words: 'interrupted', sentence: 'The run was interrupted: start it again.' };
  if (!hasReason('the deadline of the run has passed')) return undefined;
  const deadlineMs = Math.max(DEFAULT_DEADLINE_MS, Math.ceil((duration * 2) / 1000) * 1000);
  const sentence = `The deadline passed: raise ${nameOf('CONFORMANCE_DEADLINE_MS')} to ${deadlineMs}.`;
  return { words: 'deadline passed', sentence, deadlineMs };
}

/** The default deadline, which is enough for a service with responses of 3 s. */
const DEFAULT_DEADLINE_MS = 600_000;

/** Returns a clause as a sentence, with its next step. */
export const sentenceWithStep = (clause: string): string =>
  asSentence(capitalize(withStep(clause)));

/** Ends a clause as a sentence. */
export const asSentence = (clause: string): string =>
  /[.?!]$/.test(clause) ? clause : `${clause}.`;

/** Capitalizes a clause. A URL at its beginning keeps its case. */
export const capitalize = (clause: string): string =>
  clause.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());

/** Returns a clause with its next step, unless it has none or already ends with it. */
export function withStep(clause: string): string {
  const step = steps().find(([reason]) => reason.test(clause))?.[1];
  return step === undefined || clause.endsWith(step) ? clause : `${clause}: ${step}`;
}

/** Returns the next steps for reasons that leave no response to judge. */
const steps = (): [reason: RegExp, step: string][] => [
  [
    /^no complete response within \d+ ms/,
    `check that the service responds, or raise ${nameOf('CONFORMANCE_TIMEOUT_MS')} if it needs longer`,
  ],
  [
    /^the (target|service) returned (429|503) and has returned nothing else/,
    `use ${nameOf('CONFORMANCE_RATE')} to send fewer requests, or raise the limit of the service`,
  ],
  [
    /^the target returned (429|503) and locks the suite out/,
    'if it does so after wrong keys, raise that limit for the suite',
  ],
  [
    /^the (target|service) returned (429|503) and asks to retry after/,
    `raise ${nameOf('CONFORMANCE_DEADLINE_MS')} or the limit of the service`,
  ],
];
