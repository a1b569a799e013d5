import { type WrittenHistory, writeHistory } from '../history/file.ts';
import { type ClientSettings, makeClient } from '../http/client.ts';
import type { ShownExchange, ShownText } from '../http/exchange.ts';
import type { MakeSender } from '../http/senders.ts';
import { judge } from '../requirement/judge.ts';
import {
  isFailed,
  type JudgedOutcome,
  type Outcome,
  type OutcomeName,
  withRoots,
} from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { nameOf } from '../settings/names.ts';
import type { Target } from '../settings/settings.ts';
import { judgeRun } from './again.ts';
import type { StartedService } from './away.ts';
import { planFor } from './plan.ts';
import { withRecipes } from './recipe.ts';
import { run } from './run.ts';
import { type CreatedUser, createdUsers, type Tally, tallyOf } from './tally.ts';
import { type RunSettings, World } from './world.ts';

/** The progress of a run. */
export interface JudgedSoFar {
  requests: number;
  /** The outcomes of the selected requirements. One that is not verified may still be judged. */
  outcomes: ReadonlyMap<string, OutcomeName>;
}

export interface ConductOptions {
  /** All requirements: a requirement that needs everything has the cases of all others sent. */
  requirements: readonly Requirement[];
  /** Whether a requirement is selected. */
  isWanted: (slug: string) => boolean;
  /** Whether the requests of all requirements are sent, also of those that are not selected. */
  sendsAll?: boolean;
  target: Target;
  settings: ClientSettings & RunSettings & { requestIds?: boolean };
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Called once, with a function that returns the progress. */
  onStart?: ((soFar: () => JudgedSoFar) => void) | undefined;
  /** Called before the final reads, when the run waits anyway. */
  onRest?: (() => void) | undefined;
  /** Whether an outcome ends the run. The remaining cases are not sent. */
  isEnough?: ((outcome: Outcome) => boolean) | undefined;
  /** Ends the run early. */
  signal?: AbortSignal | undefined;
  makeSender?: MakeSender;
  /** The target, if the run started it. */
  service?: StartedService;
  /** More cases and sequences: a thorough run. */
  explore?: (world: World) => Promise<void>;
}

/** The result of a run: plain data without the key. */
export interface ConductedRun {
  /** In the order of the requirements. */
  outcomes: Outcome<ShownExchange, ShownText>[];
  /** A clause on why no requirement could be judged, such as a wrong key or address. */
  obstacle?: ShownText;
  /** Every exchange, in the order of the requests. */
  record: ShownExchange[];
  tally: Tally<ShownText>;
  created: CreatedUser<ShownText>[];
  /** A sentence for each crash of the suite itself. */
  faults: ShownText[];
  /** Makes the file by which `again` judges the run. */
  history: () => WrittenHistory;
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
  const { showText, shown } = client.secrets;
  const world = new World(client, target.baseUrl, settings);
  client.probe = world.listing();
  world.service = service;
  if (service) client.isOver = () => service.ended() !== undefined;
  if (settings.requestIds) client.requestIds = world.factory.tag;
  const interrupt = () => client.deadline.end('the run was interrupted');
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();

  const wanted = requirements.filter(({ slug }) => isWanted(slug));
  const reported = new Set<string>();
  const soFar = new Map<string, OutcomeName>(wanted.map(({ slug }) => [slug, 'not-verified']));
  options.onStart?.(() => ({ requests: client.requestsSent, outcomes: soFar }));
  const show = (outcome: JudgedOutcome): Outcome<ShownExchange, ShownText> => ({
    ...outcome,
    exchanges: outcome.exchanges.map(shown),
    recipe: outcome.recipe?.map((step) => ({ ...step, exchange: shown(step.exchange) })),
  });
  const report = (outcome: JudgedOutcome) => {
    if (reported.has(outcome.slug)) return;
    reported.add(outcome.slug);
    onOutcome(show(outcome));
  };
  const seen = { results: 0, parts: 0 };
  /** Returns the requirements with new results, or with a new part of the run to check. */
  const takeChanged = (): Requirement[] => {
    const { results, parts } = world.history;
    const slugs = new Set(results.slice(seen.results).flatMap((result) => result.slugs));
    const isNewPart = parts.length > seen.parts;
    Object.assign(seen, { results: results.length, parts: parts.length });
    return wanted.filter(({ slug, check }) => slugs.has(slug) || (isNewPart && check));
  };
  const judgeSoFar = () => {
    const judged = judge(takeChanged(), world.history, { all: requirements, showText });
    for (const { slug, outcome } of judged) soFar.set(slug, outcome.outcome);
    // Later requests don't revoke a failure.
    for (const { slug, outcome } of judged.filter(isFailed)) {
      if (options.isEnough?.(show(outcome))) {
        const bail = nameOf('CONFORMANCE_BAIL');
        client.deadline.end(`not run: ${bail} ended the run at ${slug}`);
      }
      report(outcome);
    }
  };
  if (options.isEnough) world.onStep = judgeSoFar;
  try {
    const { onRest, explore, sendsAll = false } = options;
    const plan = planFor(sendsAll ? requirements : wanted, requirements);
    const crash = await run(world, plan, {
      ...(options.onOutcome && { onPhase: judgeSoFar }),
      ...(onRest && { onRest }),
      ...(explore && { explore }),
    });
    const judged = judgeRun(world.history, wanted, { all: requirements, showText });
    const outcomes = withRoots(withRecipes(judged, world.history), showText);
    outcomes.forEach(report);
    const faults = judged.flatMap(({ fault }) => fault ?? []);
    if (crash) faults.push(showText(crash));
    const { stopped } = world.history;
    return {
      outcomes: outcomes.map(show),
      ...(stopped?.by === 'obstacle' && { obstacle: showText(stopped.reason) }),
      record: client.record.filter(({ attempts }) => attempts > 0).map(shown),
      tally: tallyOf(world),
      created: createdUsers(world),
      faults: [...new Set(faults)],
      history: () => writeHistory(world.history, client.secrets),
    };
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await client.close();
  }
}
