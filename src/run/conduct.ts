import { type WrittenHistory, writeHistory } from '../history/file.ts';
import { type ClientSettings, makeClient } from '../http/client.ts';
import type { Exchange, ShownExchange } from '../http/exchange.ts';
import type { MakeSender } from '../http/senders.ts';
import { judge } from '../requirement/judge.ts';
import { isFailed, type Outcome, withRoots } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { nameOf } from '../settings/names.ts';
import type { Target } from '../settings/settings.ts';
import { judgeRun } from './again.ts';
import type { StartedService } from './away.ts';
import { planFor } from './plan.ts';
import { run } from './run.ts';
import { type CreatedUser, createdUsers, type Tally, tallyOf } from './tally.ts';
import { type RunSettings, World } from './world.ts';

/** How far a run is. */
export interface Counts {
  judged: number;
  wanted: number;
  requests: number;
}

export interface ConductOptions {
  /** All requirements: what a run sends depends on them all if one asks for everything. */
  requirements: readonly Requirement[];
  /** Which of them are wanted. */
  isWanted: (slug: string) => boolean;
  target: Target;
  settings: ClientSettings & RunSettings & { requestIds?: boolean };
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Called once, with a function that tells how far the run is. */
  onStart?: ((counts: () => Counts) => void) | undefined;
  /** Called when the run waits before its last looks. */
  onRest?: (() => void) | undefined;
  /** Whether an outcome ends the run: what was not judged by then is not run. */
  isEnough?: ((outcome: Outcome) => boolean) | undefined;
  /** Ends the run early. */
  signal?: AbortSignal | undefined;
  makeSender?: MakeSender;
  /** The target, if it was started for the run. No outcome is final until it is known who listens at the end. */
  service?: StartedService;
  /** More cases and sequences: a thorough run. */
  explore?: (world: World) => Promise<void>;
}

/** What came of a run: plain data without the key. */
export interface ConductedRun {
  /** In the order of the requirements. */
  outcomes: Outcome[];
  /** Why nothing could be judged, a clause: the target is not there, or takes no request with this key. */
  obstacle?: string;
  /** Every exchange, in the order in which they were sent. */
  record: ShownExchange[];
  tally: Tally;
  created: CreatedUser[];
  /** Why the suite itself crashed, a sentence for each place. */
  faults: string[];
  /** Makes what is needed to judge the run again. */
  history: () => WrittenHistory;
  /** A sentence if another process listened at the address at the end of the run, so that nothing is known. */
  stranger?: string;
}

/**
 * Carries out what the wanted requirements need and judges them. Outcomes that failed are told after each phase, the
 * others at the end, when roots are known. Never rejects for what a target does.
 */
export async function conduct(options: ConductOptions): Promise<ConductedRun> {
  const {
    requirements,
    isWanted,
    target,
    settings,
    onOutcome = () => {},
    signal,
    makeSender,
    service,
  } = options;
  const client = makeClient(target, settings, makeSender);
  const { redact, shown } = client.secrets;
  const world = new World(client, target.baseUrl, settings);
  client.probe = world.listing();
  if (service) client.isOver = () => service.ended() !== undefined;
  if (settings.requestIds) client.requestIds = world.factory.tag;
  const interrupt = () => client.deadline.end('the run was interrupted');
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();

  const wanted = requirements.filter(({ slug }) => isWanted(slug));
  const told = new Set<string>();
  options.onStart?.(() => ({
    judged: told.size,
    wanted: wanted.length,
    requests: client.requestsSent,
  }));
  const show = (outcome: Outcome<Exchange>): Outcome => ({
    ...outcome,
    exchanges: outcome.exchanges.map(shown),
  });
  const tell = (outcome: Outcome<Exchange>) => {
    if (told.has(outcome.slug)) return;
    told.add(outcome.slug);
    onOutcome(show(outcome));
  };
  const judgeNow = () => judge(wanted, world.history, { all: requirements, redact });
  const judgeSoFar = () => {
    // A failure stays one, whatever is sent later.
    for (const one of judgeNow().filter(isFailed)) {
      if (options.isEnough?.(show(one.outcome)))
        client.deadline.end(`not run: ${nameOf('CONFORMANCE_BAIL')} ended the run at ${one.slug}`);
      if (!service) tell(one.outcome);
    }
  };
  if (options.isEnough) world.onQuiet = judgeSoFar;
  try {
    const { onRest, explore } = options;
    const plan = planFor(wanted, requirements);
    const crash = await run(world, plan, {
      service,
      ...((options.onOutcome ?? options.isEnough) && { onPhase: judgeSoFar }),
      ...(onRest && { onRest }),
      ...(explore && { explore }),
    });
    const stranger = await service?.stranger();
    const judged = judgeRun(world.history, wanted, { all: requirements, redact, stranger });
    const outcomes = withRoots(judged);
    outcomes.forEach(tell);
    const faults = [
      ...judged.flatMap(({ fault }) => fault ?? []),
      ...(crash ? [redact(crash)] : []),
    ];
    const { stopped } = world.history;
    return {
      outcomes: outcomes.map(show),
      ...(stopped?.by === 'obstacle' && { obstacle: redact(stopped.reason) }),
      record: client.record.filter(({ attempts }) => attempts > 0).map(shown),
      tally: tallyOf(world),
      created: createdUsers(world),
      faults: [...new Set(faults)],
      history: () => writeHistory(world.history, client.secrets),
      ...(stranger !== undefined && { stranger }),
    };
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await client.close();
  }
}
