import { type ClientSettings, clientTo } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { BEARER } from '../http/key.ts';
import type { MakeSender } from '../http/senders.ts';
import type { RunSettings } from '../plan/context.ts';
import { Missing } from '../plan/evidence.ts';
import { carryOut, end, plan, selectSteps } from '../plan/plan.ts';
import { Run, writeRecord } from '../plan/run.ts';
import { lookForServiceEnd, type StartedService, whyOpen } from '../plan/service-end.ts';
import type { AnyStep } from '../plan/step.ts';
import { isOpen, type Judged, judge, leftOpen, type Outcome, withRoots } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import type { Target } from '../settings/settings.ts';
import type { Evidence } from './again.ts';
import { drawnOf, judges, sendDrawn } from './drawn.ts';
import type { Exploration, Explored } from './explore.ts';
import { coverageOf, createdBy, tallyOf } from './tally.ts';
import type { Topic } from './topic.ts';

/** How far a run is. */
export interface Counts {
  judged: number;
  wanted: number;
  requests: number;
}

/** What came of a run. */
export type RunOutcome = Awaited<ReturnType<typeof conduct>>;

export interface Conduct {
  /** All requirements: what a run sends depends on them all where one asks for everything. */
  requirements: readonly Requirement[];
  /** Which of them are wanted. */
  isWanted: (slug: string) => boolean;
  target: Target;
  settings: ClientSettings & RunSettings & { requestIds?: boolean };
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Called once, with what tells how far the run is. */
  onStart?: ((counts: () => Counts) => void) | undefined;
  /** Called when the run waits before its last looks. */
  onRest?: (() => void) | undefined;
  /** Whether an outcome ends the run: what was not judged by then is not run. */
  isEnough?: ((outcome: Outcome) => boolean) | undefined;
  /** Ends the run before its time. */
  signal?: AbortSignal | undefined;
  makeSender?: MakeSender;
  /** What to explore when the plan is carried out: a thorough run. */
  exploration?: Exploration;
  /** The parameters of drawn cases by which the requirements are judged when the plan is carried out. */
  again?: { topic: Topic; params: readonly unknown[] };
  /**
   * The target, where it was started for the run. No outcome is final then until it is known who listens at the end.
   */
  service?: StartedService;
}

/**
 * Carries out what of the plan the wanted requirements need, and judges each as soon as its evidence is complete. What
 * could not be verified is told at the end, when it is known which failure is at its root; in a thorough run all but
 * failures is told then. Never rejects for what a target does.
 */
export async function conduct(options: Conduct) {
  const { requirements, isWanted, target, settings, onOutcome = () => {}, signal, makeSender } = options;
  const { exploration, again, service } = options;
  const deadlineMs = settings.deadlineMs + (exploration?.budgetMs ?? 0);
  const client = clientTo(target, { ...settings, deadlineMs }, makeSender);
  const { redact } = client.secrets;
  const run = new Run(client, target.baseUrl, { ...(exploration && { choices: `${exploration.seed}` }), ...settings });
  client.probe = { ...run.listing(), headers: BEARER };
  if (service) client.isOver = () => service.ended() !== undefined;
  run.onRest = options.onRest;
  if (settings.requestIds) client.requestIds = run.factory.tag;
  const interrupt = () => client.deadline.end('the run was interrupted');
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  const wanted = requirements.filter(({ slug }) => isWanted(slug));
  const judged = new Map<Requirement, Judged>();
  const told = new Set<string>();
  options.onStart?.(() => ({ judged: judged.size, wanted: wanted.length, requests: client.requestsSent }));
  const shown = (outcome: Outcome<Exchange>): Outcome => ({
    ...outcome,
    exchanges: outcome.exchanges.map(client.secrets.shown),
  });
  const tell = (outcome: Outcome<Exchange>) => {
    if (!told.has(outcome.slug)) onOutcome(shown(outcome));
    told.add(outcome.slug);
  };
  const judgeNow = (isComplete: (requirement: Requirement) => boolean) => {
    for (const requirement of wanted.filter((one) => !judged.has(one) && isComplete(one))) {
      const found = judge(requirement, run, redact);
      judged.set(requirement, found);
      if (options.isEnough?.(shown(found.outcome)))
        client.deadline.end(`not run: --bail ended the run at ${requirement.slug}`);
      // Exploring may still find that one does not hold.
      const isFinal = found.outcome.outcome === 'failed' || (!exploration && found.outcome.outcome !== 'not-verified');
      if (isFinal && !service) tell(found.outcome);
    }
  };
  /** Takes back what nobody knows any more. */
  const leaveOpen = (isAffected: (judged: Judged) => boolean, why: Missing) => {
    for (const [one, before] of judged) if (isAffected(before)) judged.set(one, leftOpen(before, why, redact));
  };
  const over = new Set<AnyStep>();
  const onLine = (steps: AnyStep[]) => {
    for (const step of steps) over.add(step);
    judgeNow((one) =>
      evidenceOf(one).every(({ cases, whole }) => !whole && cases.every(([step]) => over.has(step as AnyStep))),
    );
    // The run waits now, before its last looks: what is made once takes no time at its end.
    if (steps.some(({ bad }) => bad)) for (const exchange of client.record) client.secrets.shown(exchange);
  };
  let planned = new Map(judged);
  let recorded: unknown[] | undefined;
  let explored: Explored | undefined;
  try {
    const selected = selectSteps(wanted.flatMap(evidenceOf), requirements.flatMap(evidenceOf));
    await carryOut(run, selected, plan, onLine);
    await lookForServiceEnd(run, service);
    judgeNow(() => true);
    if (run.ended) leaveOpen(isOpen, whyOpen(run.ended));
    planned = new Map(judged);
    if (exploration) recorded = writeRecord(run.evidence, client.secrets);
    const open = wanted.filter((one) => judged.get(one)?.outcome.outcome !== 'failed');
    const sent = again && (await sendDrawn(run, drawnOf(again.topic, again.params, open)));
    for (const { judged: one } of sent?.found ?? []) judged.set(one.requirement, one);
    if (exploration) {
      // Loaded only where it is asked for: what draws takes longer to load than a run.
      const { explore } = await import('./explore.ts');
      explored = await explore(run, open, exploration);
      await carryOut(run, selected, end);
      await lookForServiceEnd(run, service);
      const atEnd = wanted.filter(isOfTheEnd).map((one) => judge(one, run, redact));
      for (const found of [...explored.failed, ...atEnd]) addExplored(judged, found);
      // Where the run came to no end, nobody knows what the rest would have shown.
      const isExplored = ({ outcome, requirement }: Judged) =>
        outcome.outcome === 'passed' && exploration.topics.some((topic) => judges(requirement, topic));
      if (run.stopped) leaveOpen(isExplored, run.stopped.why);
    }
    if (run.ended && exploration) leaveOpen(isOpen, whyOpen(run.ended));
    const stranger = await service?.stranger();
    if (stranger !== undefined) {
      const isAffected = ({ outcome: { outcome } }: Judged) => outcome !== 'not-applicable';
      leaveOpen(isAffected, new Missing(`at the end of the run ${stranger}`));
    }
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await client.close();
  }
  const inOrder = wanted.map((requirement) => judged.get(requirement) as Judged);
  const outcomes = withRoots(inOrder);
  outcomes.forEach(tell);
  const faults = [...inOrder.flatMap(({ fault }) => fault ?? []), ...run.faults].map((fault) => redact(fault));
  return {
    /** In the order of the requirements. */
    outcomes: outcomes.map(shown),
    /** Why nothing could be judged of the target, a clause: it is not there, or takes no request with this key. */
    ...(run.stopped?.by === 'obstacle' && !run.ended && { obstacle: redact(run.stopped.why.message) }),
    /** Every exchange, in the order in which they were sent. */
    record: client.record.filter(({ attempts }) => attempts > 0).map(client.secrets.shown),
    tally: tallyOf(run),
    /** Who was created, by what is known of them. */
    created: createdBy(run),
    /** Why the suite itself crashed, a sentence for each place where it did. */
    faults: [...new Set(faults)],
    /** What a thorough run covered; and by slug, for what it found by drawn cases, how to see it again. */
    ...(explored && { coverage: coverageOf(run, explored), reproductions: explored.reproductions }),
    /** Makes what is needed to judge the run again. */
    evidence: (): Evidence => ({
      record: recorded ?? writeRecord(run.evidence, client.secrets),
      outcomes: wanted.flatMap((one, index) =>
        planned.get(one) === judged.get(one) ? [] : shown(outcomes[index] as Outcome<Exchange>),
      ),
    }),
  };
}

/** Whether a requirement looks at what only the end of a run shows. */
const isOfTheEnd = (requirement: Requirement): boolean =>
  evidenceOf(requirement).some(({ whole, cases }) => whole || cases.some(([step]) => end.flat().includes(step)));

/** What exploring finds counts where it is worse: what could not be judged there was judged before. */
function addExplored(judged: Map<Requirement, Judged>, found: Judged): void {
  const before = judged.get(found.requirement)?.outcome.outcome;
  const isBetter = before !== 'passed' && found.outcome.outcome === 'passed';
  const isWorse = found.outcome.outcome === 'failed' || found.fault;
  if (before !== 'failed' && (isWorse || isBetter)) judged.set(found.requirement, found);
}

const evidenceOf = ({ evidence }: Requirement) => Object.values(evidence);

/** What came of trying a failure again. */
export interface Tries {
  failed: number;
  tried: number;
  /** Of the last try that failed, or else of the last one; absent where there was none. */
  outcome?: Outcome;
  /** Why no further one could be judged. */
  open?: string;
}

/** A failure that shows each time needs few tries, a race many; they cost the target no more than a few runs. */
const MOST = { failed: 3, tried: 10, requests: 1000 };

/**
 * Makes the same run again and again, with all that it needs anew, until a requirement has failed three times or was
 * tried often enough. Throws where the suite itself crashes.
 */
export async function tryAgain(options: Conduct, slug: string, most: Partial<typeof MOST> = {}): Promise<Tries> {
  const bounds = { ...MOST, ...most };
  const tries: Tries = { failed: 0, tried: 0 };
  let requests = 0;
  while (tries.failed < bounds.failed && tries.tried < bounds.tried && requests < bounds.requests) {
    const { outcomes, tally, faults } = await conduct(options);
    const [fault] = faults;
    if (fault !== undefined) throw new Error(fault);
    const outcome = outcomes.find((one) => one.slug === slug);
    const isExcluded = options.settings.readOnly && outcome?.outcome === 'not-applicable';
    if (outcome === undefined || outcome.outcome === 'not-verified' || isExcluded) {
      return { ...tries, open: outcome?.reason ?? 'it is no requirement' };
    }
    requests += tally.requests;
    tries.tried += 1;
    if (outcome.outcome === 'failed') tries.failed += 1;
    if (outcome.outcome === 'failed' || tries.failed === 0) tries.outcome = outcome;
  }
  return tries;
}
