import type { CaseResult } from '../history/history.ts';
import { members } from '../history/record.ts';
import { isSuccess } from '../http/exchange.ts';
import type { Case } from '../requirement/case.ts';
import { isFailing } from '../requirement/judge.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { type PlannedCase, sendAndRecord } from '../run/runner.ts';
import type { World } from '../run/world.ts';
import { DistinctCases } from './coverage.ts';
import {
  type DrawnCase,
  type DrawnCases,
  isGenerated,
  type Replay,
  shrinkCase,
} from './drawn-cases.ts';
import { fetchItems } from './reads.ts';

export interface SenderOptions {
  requirements: readonly Requirement[];
  /** Whether nothing more may be sent. */
  isOver: () => boolean;
  /** Called for a failed requirement, before the search for the smallest case. */
  onFailure: (slug: string) => void;
}

/** Sends drawn cases, counts them, and searches for the smallest one that fails. */
export class DrawnSender {
  /** Different cases by the name of their kind. */
  readonly kinds = new DistinctCases();
  /** Different cases by the slug of the requirements that judge them. */
  readonly judged = new DistinctCases();
  readonly #world: World;
  readonly #options: SenderOptions;
  /** Requirements with a failed case that was shrunk. */
  readonly #shrunk = new Set<Requirement>();

  constructor(world: World, options: SenderOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** Sends cases, and drops the results that prove nothing more. */
  async send(
    drawn: readonly DrawnCase[],
    sendAll: (planned: PlannedCase[]) => Promise<void>,
  ): Promise<void> {
    if (drawn.length === 0) return;
    const { results } = this.#world.history;
    const before = results.length;
    const planned = drawn.map((drawnCase) => this.#plan(drawnCase));
    await this.#withoutSkipped(() => sendAll(planned));
    const newResults = results.slice(before);
    for (const result of newResults) this.#count(result, drawnCaseOf(result, drawn)?.kind);
    const isOfExistingUser = await this.#findExistingUsers(newResults, drawn);
    const relevant = newResults.filter((result) => {
      return this.#isRelevant(result) && !isOfExistingUser(result);
    });
    results.splice(before, results.length, ...relevant);
    for (const result of relevant) {
      const drawnCase = drawnCaseOf(result, drawn);
      if (drawnCase) await this.#shrink(drawnCase, result);
    }
  }

  /** Sends the case of a path, and smaller ones if it fails. */
  async replay(kind: DrawnCases, replay: Replay): Promise<void> {
    if (!isGenerated(kind)) return;
    await shrinkCase(kind, replay, async (testCase) => {
      const planned = this.#plan({ case: testCase, kind });
      const result = await sendAndRecord(this.#world, planned);
      return result !== undefined && this.#failing(result).length > 0;
    });
  }

  #plan({ case: testCase, kind }: DrawnCase): PlannedCase {
    const { requirements } = this.#options;
    const judging = requirements.filter(({ slug }) => kind.slugs.includes(slug));
    return { case: testCase, requirements: judging };
  }

  /** Sends cases and drops the record of skipped ones, because others are drawn in their place. */
  async #withoutSkipped<T>(sendAll: () => Promise<T>): Promise<T> {
    const { skipped } = this.#world.history;
    const before = skipped.length;
    const sent = await sendAll();
    skipped.splice(before);
    return sent;
  }

  #count(result: CaseResult, kind: DrawnCases | undefined): void {
    const caseName = `${result.operation} ${result.name}`;
    if (kind) this.kinds.add(kind.name, caseName);
    for (const slug of result.slugs) this.judged.add(slug, caseName);
  }

  /**
   * Finds the rejected creations whose user may exist from before the run: the list shows the email
   * or the name, or does not show all users.
   */
  async #findExistingUsers(
    results: readonly CaseResult[],
    drawn: readonly DrawnCase[],
  ): Promise<(result: CaseResult) => boolean> {
    const doubtful = results.filter((result) => {
      const isRejected = result.creation?.response === 'rejected';
      return isRejected && drawnCaseOf(result, drawn)?.kind.mayExist === true;
    });
    if (doubtful.length === 0) return () => false;
    const { items, isWhole } = await fetchItems(this.#world);
    const listed = new Set(items.flatMap((item) => Object.values(members(item))));
    return (result) => {
      if (!doubtful.includes(result)) return false;
      if (!isWhole) return true;
      const user = result.creation?.user;
      return user !== undefined && (listed.has(user.email) || listed.has(user.name));
    };
  }

  /** Whether checks need a result: right responses to negative requests prove nothing more. */
  #isRelevant(result: CaseResult): boolean {
    const { creation, exchange, concurrent, holds, isUnconfirmed, unanswered, leak } = result;
    if (concurrent || holds || isUnconfirmed || unanswered) return true;
    if (creation && creation.response !== 'rejected') return true;
    if (leak !== undefined && isSuccess(exchange)) return true;
    return this.#failing(result).length > 0;
  }

  #failing(result: CaseResult): Requirement[] {
    const { history } = this.#world;
    return this.#options.requirements.filter((requirement) => {
      if (!result.slugs.includes(requirement.slug)) return false;
      return isFailing(requirement, result, history);
    });
  }

  /** Searches for the smallest case that fails, and reports it in place of the first one. */
  async #shrink(drawnCase: DrawnCase, first: CaseResult): Promise<void> {
    const { kind, replay } = drawnCase;
    if (!isGenerated(kind) || replay === undefined || first.isUnconfirmed) return;
    const failing = this.#failing(first).filter((requirement) => !this.#shrunk.has(requirement));
    const [requirement] = failing;
    if (requirement === undefined) return;
    for (const failed of failing) this.#shrunk.add(failed);
    this.#options.onFailure(requirement.slug);
    const { results } = this.#world.history;
    let smallest: CaseResult | undefined;
    const path = await shrinkCase(kind, replay, async (testCase) => {
      const result = await this.#sendSmaller(kind, testCase);
      if (result === undefined) return false;
      const hasFailedAlike = this.#failing(result).some((failed) => failing.includes(failed));
      const dropped = hasFailedAlike ? smallest : result;
      if (hasFailedAlike) smallest = result;
      if (dropped) results.splice(results.indexOf(dropped), 1);
      return hasFailedAlike;
    });
    if (smallest === undefined) return;
    smallest.name = `${smallest.name} (path ${kind.name}/${replay.seed}/${path})`;
    results.splice(results.indexOf(smallest), 1);
    results.splice(results.indexOf(first), 1, smallest);
  }

  async #sendSmaller(kind: DrawnCases, testCase: Case): Promise<CaseResult | undefined> {
    if (this.#options.isOver()) return undefined;
    const planned = this.#plan({ case: testCase, kind });
    return this.#withoutSkipped(() => sendAndRecord(this.#world, planned));
  }
}

/** Returns the drawn case of a result. */
const drawnCaseOf = (result: CaseResult, drawn: readonly DrawnCase[]): DrawnCase | undefined =>
  drawn.find(({ case: testCase }) => {
    return testCase.name === result.name && testCase.operation === result.operation;
  });
