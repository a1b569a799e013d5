import { nameOf } from '../settings/names.ts';
import type { ReportedRequirement } from './report.ts';

/** The end of a run before its plan was carried out: words for a title, and a sentence. */
export interface EarlyEnd {
  words: 'deadline passed' | 'interrupted';
  sentence: string;
  /** The deadline with which the run may reach its end, in milliseconds. */
  deadlineMs?: number;
}

/** The default deadline: it is enough for a service with responses of 3 s. */
const USUAL_DEADLINE_MS = 600_000;

/**
 * Returns how a run ended early, by the reasons of what it did not verify; undefined if it carried
 * out its plan. `duration` is in milliseconds.
 */
export function earlyEndOf(
  requirements: readonly Pick<ReportedRequirement, 'outcome' | 'reason'>[],
  duration: number,
): EarlyEnd | undefined {
  const has = (reason: string) =>
    requirements.some((one) => one.outcome === 'not-verified' && one.reason.startsWith(reason));
  if (has('the run was interrupted'))
    return { words: 'interrupted', sentence: 'The run was interrupted: start it again.' };
  if (!has('the deadline of the run has passed')) return undefined;
  const deadlineMs = Math.max(USUAL_DEADLINE_MS, Math.ceil((duration * 2) / 1000) * 1000);
  const sentence = `The deadline passed: raise ${nameOf('CONFORMANCE_DEADLINE_MS')} to ${deadlineMs}.`;
  return { words: 'deadline passed', sentence, deadlineMs };
}

/** Reasons for which no response could be judged, and the next step. */
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
    /^the (target|service) returned (429|503) and asks to retry after/,
    `raise ${nameOf('CONFORMANCE_DEADLINE_MS')} or the limit of the service`,
  ],
];

/** Returns a clause with its next step, if there is one that the clause does not name. */
export function withStep(clause: string): string {
  const step = steps().find(([reason]) => reason.test(clause))?.[1];
  return step === undefined || clause.endsWith(step) ? clause : `${clause}: ${step}`;
}
