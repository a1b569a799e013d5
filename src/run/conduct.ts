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

/** The progress of a run. */
export interface Counts {
  judged: number;
  wanted: number;
  requests: number;
}

export interface ConductOptions {
  /** All requirements: a requirement that needs everything has the cases of all others sent. */
  requirements: readonly Requirement[];
  /** Whether a requirement is selected. */
  isWanted: (slug: string) => boolean;
  target: Target;
  settings: ClientSettings & RunSettings & { requestIds?: boolean };
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Called once, with a function that returns the progress. */
  onStart?: ((counts: () => Counts) => void) | undefined;
  /** Called before the final reads, when the run waits anyway. */
  onRest?: (() => void) | undefined;
  /** Whether an outcome ends the run. The remaining cases are not sent. */
  isEnough?: ((outcome: Outcome) => boolean) | undefined;
  /** Ends the run early. */
  signal?: AbortSignal | undefined;
  makeSender?: MakeSender;
  /** The target, if the run started it. Its outcomes are final when the port is checked at the end. */
  service?: StartedService;
  /** More cases and sequences: a thorough run. */
  explore?: (world: World) => Promise<void>;
}

/** The result of a run: plain data without the key. */
export interface ConductedRun {
  /** In the order of the requirements. */
  outcomes: Outcome[];
  /** A clause on why no requirement could be judged, such as a wrong key or address. */
  obstacle?: string;
  /** Every exchange, in the order of the requests. */
  record: ShownExchange[];
  tally: Tally;
  created: CreatedUser[];
  /** A sentence for each crash of the suite itself. */
  faults: string[];
  /** Makes the file by which `again` judges the run. */
  history: () => WrittenHistory;
  /** A sentence if another process listened at the address at the end, which invalidates the run. */
  stranger?: string;
}

/**
 * Sends the requests of the selected requirements and judges them. Failures are reported after each
 * phase, other outcomes at the end, when roots are known. Never rejects because of the target.
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
  const reported = new Set<string>();
  options.onStart?.(() => ({
    judged: reported.size,
    wanted: wanted.length,
    requests: client.requestsSent,
  }));
  const show = (outcome: Outcome<Exchange>): Outcome => ({
    ...outcome,
    exchanges: outcome.exchanges.map(shown),
  });
  const report = (outcome: Outcome<Exchange>) => {
    if (reported.has(outcome.slug)) return;
    reported.add(outcome.slug);
    onOutcome(show(outcome));
  };
  const judgeSoFar = () => {
    const judged = judge(wanted, world.history, { all: requirements, redact });
    // Later requests don't revoke a failure.
    for (const { slug, outcome } of judged.filter(isFailed)) {
      if (options.isEnough?.(show(outcome))) {
        const bail = nameOf('CONFORMANCE_BAIL');
        client.deadline.end(`not run: ${bail} ended the run at ${slug}`);
      }
      if (!service) report(outcome);
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
    outcomes.forEach(report);
    const faults = judged.flatMap(({ fault }) => fault ?? []);
    if (crash) faults.push(redact(crash));
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
