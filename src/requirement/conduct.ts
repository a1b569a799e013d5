import { Client } from '../http/client.ts';
import type { Dispatchers } from '../http/dispatchers.ts';
import type { Exchange } from '../http/exchange.ts';
import { carryOut, selectSteps } from '../plan/carry-out.ts';
import { Run } from '../plan/run.ts';
import type { AnyStep } from '../plan/step.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { type Judged, judge, withRoots } from './judge.ts';
import type { Outcome } from './outcome.ts';
import type { Requirement } from './requirement.ts';

/** What a run counts and observes, for the reports. */
export interface Tally {
  tag: string;
  /** When the run began: milliseconds since 1970. */
  start: number;
  requests: number;
  usersCreated: number;
  /** Which freedoms the target uses: a name, and the values seen. */
  observations: Record<string, string[]>;
}

/** What came of a run. */
export interface Conducted {
  /** In the order of the requirements. */
  outcomes: Outcome[];
  /** Every exchange, in the order in which they were sent. */
  record: readonly Exchange[];
  tally: Tally;
  /** Why the suite itself broke down, a sentence for each place where it did. */
  faults: string[];
}

export interface Conduct {
  /** All requirements: what a run sends depends on them all where one asks for everything. */
  requirements: readonly Requirement[];
  /** Which of them are wanted. */
  isWanted: (slug: string) => boolean;
  target: Target;
  settings: Pick<Settings, 'timeoutMs' | 'deadlineMs' | 'bodyLimit' | 'readOnly' | 'settleMs' | 'emailDomain'>;
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Ends the run before its time. */
  signal?: AbortSignal;
  dispatchers?: Dispatchers;
}

/**
 * Carries out what of the plan the wanted requirements need, and judges each as soon as its evidence is complete. What could
 * not be verified is told at the end, when it is known which failure is at its root. Never rejects for what a target does.
 */
export async function conduct(options: Conduct): Promise<Conducted> {
  const { requirements, isWanted, target, settings, onOutcome = () => {}, signal, dispatchers } = options;
  const client = new Client(target, settings, dispatchers);
  const run = new Run(client, target.baseUrl, settings);
  const interrupt = () => client.deadline.end('the run was interrupted');
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  const wanted = requirements.filter(({ slug }) => isWanted(slug));
  const judged = new Map<Requirement, Judged>();
  const judgeNow = (isComplete: (requirement: Requirement) => boolean) => {
    for (const requirement of wanted.filter((one) => !judged.has(one) && isComplete(one))) {
      const found = judge(requirement, run, client.redact);
      judged.set(requirement, found);
      if (found.outcome.outcome !== 'not-verified') onOutcome(found.outcome);
    }
  };
  const over = new Set<AnyStep>();
  try {
    const selected = selectSteps(wanted.flatMap(evidenceOf), requirements.flatMap(evidenceOf));
    await carryOut(run, selected, (steps) => {
      for (const step of steps) over.add(step);
      judgeNow((one) =>
        evidenceOf(one).every(({ steps, whole }) => !whole && steps.every((step) => over.has(step as AnyStep))),
      );
    });
    judgeNow(() => true);
  } finally {
    await client.close();
  }
  const inOrder = wanted.map((requirement) => judged.get(requirement) as Judged);
  const outcomes = withRoots(inOrder);
  for (const outcome of outcomes) if (outcome.outcome === 'not-verified') onOutcome(outcome);
  const faults = [...inOrder.flatMap(({ fault }) => fault ?? []), ...run.faults()].map((fault) => client.redact(fault));
  return { outcomes, record: run.record, tally: tallyOf(run), faults: [...new Set(faults)] };
}

function evidenceOf({ evidence }: Requirement) {
  return Object.values(evidence);
}

function tallyOf({ client, factory, ledger, observations }: Run): Tally {
  const inHeader = client.record.some(({ response }) => response?.keyInHeader);
  if (inHeader) observations.set('key in an answer', new Set(['in a header']));
  const observed = [...observations].map(([name, values]) => [name, [...values].sort()] as const);
  return {
    tag: factory.tag,
    start: client.started.getTime(),
    requests: client.requestsSent,
    usersCreated: ledger.creations.filter(({ answered, exchange }) => exchange && answered === 'created').length,
    observations: Object.fromEntries(observed.sort(([a], [b]) => a.localeCompare(b, 'en'))),
  };
}
