import type { CaseResult } from '../history/history.ts';
import { members } from '../history/record.ts';
import { isSuccess } from '../http/exchange.ts';
import type { Case } from '../requirement/case.ts';
import { isFailing } from '../requirement/judge.ts';
import { isCaseRequirement, type Requirement } from '../requirement/requirement.ts';
import { type PlannedCase, sendAndRecord } from '../run/runner.ts';
import type { World } from '../run/world.ts';
import { DistinctCases } from './coverage.ts';
import { type DrawnCase, type DrawnCases, isGenerated, shrinkCase } from './drawn-cases.ts';
import { fetchItems } from './reads.ts';

/** How drawn cases are sent, and what is told of it. */
export interface SenderOptions {
  requirements: readonly Requirement[];
  /** Whether nothing more may be sent. */
  isOver: () => boolean;
  onFailure: (slug: string) => void;
}

/** Sends drawn cases, counts them, and looks for the smallest one that fails. */
export class DrawnSender {
  /** Different cases by the name of their kind. */
  readonly kinds = new DistinctCases();
  /** Different cases by the slug of the requirements that judge them. */
  readonly judged = new DistinctCases();
  readonly #world: World;
  readonly #options: SenderOptions;
  /** Requirements that failed by a generated case, which was shrunk. */
  readonly #shrunk = new Set<Requirement>();

  constructor(world: World, options: SenderOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** Sends cases, and keeps of their results those that tell something. */
  async send(
    drawn: readonly DrawnCase[],
    sendAll: (planned: PlannedCase[]) => Promise<void>,
  ): Promise<void> {
    if (drawn.length === 0) return;
    const { results } = this.#world.history;
    const before = results.length;
    const planned = drawn.map((one) => this.#plan(one));
    await this.#withoutSkipped(() => sendAll(planned));
    const own = results.slice(before);
    for (const result of own)
      this.#count(result, drawn.find((one) => isOf(one.case, result))?.kind);
    const isOfExisting = await this.#ofExisting(own, drawn);
    const kept = own.filter((result) => this.#isWorthKeeping(result) && !isOfExisting(result));
    results.splice(before, results.length, ...kept);
    for (const result of kept) {
      const found = drawn.find((one) => isOf(one.case, result));
      if (found) await this.#shrink(found, result);
    }
  }

  /** Sends the case of a path, and smaller ones if it fails. */
  async replay(kind: DrawnCases, replay: { seed: number; path: string }): Promise<void> {
    if (!isGenerated(kind)) return;
    await shrinkCase(kind, replay, async (one) => {
      const result = await sendAndRecord(this.#world, this.#plan({ case: one, kind }));
      return result !== undefined && this.#failing(result).length > 0;
    });
  }

  /**
   * Finds the rejected creations whose user may be there from before the run: the list shows the
   * email or the name, or does not show all users.
   */
  async #ofExisting(results: readonly CaseResult[], drawn: readonly DrawnCase[]) {
    const { creations } = this.#world.history;
    const doubtful = results.filter((result) => {
      const isRejected = creations[result.creation ?? -1]?.response === 'rejected';
      return isRejected && drawn.find((one) => isOf(one.case, result))?.kind.mayExist === true;
    });
    if (doubtful.length === 0) return () => false;
    const { items, isWhole } = await fetchItems(this.#world);
    const taken = new Set(items.flatMap((item) => Object.values(members(item))));
    return (result: CaseResult) => {
      const user = creations[result.creation ?? -1]?.user;
      const isThere = user !== undefined && (taken.has(user.email) || taken.has(user.name));
      return doubtful.includes(result) && (isThere || !isWhole);
    };
  }

  #plan({ case: one, kind }: DrawnCase): PlannedCase {
    const { requirements } = this.#options;
    return {
      case: one,
      requirements: requirements.filter(({ slug }) => kind.slugs.includes(slug)),
    };
  }

  /**
   * A case that this key or service has no such variation of leaves no trace: another one is drawn.
   */
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
   * Right responses to negative requests and to reads tell nothing more, and there are very many.
   */
  #isWorthKeeping(result: CaseResult): boolean {
    const { creation, exchange, concurrent, holds, isUnconfirmed, unanswered, leak } = result;
    if (concurrent || holds || isUnconfirmed || unanswered) return true;
    const { creations } = this.#world.history;
    if (creation !== undefined && creations[creation]?.response !== 'rejected') return true;
    return this.#failing(result).length > 0 || (leak !== undefined && isSuccess(exchange));
  }

  #failing(result: CaseResult): Requirement[] {
    const own = this.#options.requirements.filter(({ slug }) => result.slugs.includes(slug));
    const { history } = this.#world;
    return own.filter((one) => isCaseRequirement(one) && isFailing(one, result, history));
  }

  /** Looks for the smallest case that fails as well, and reports it in place of the first one. */
  async #shrink(drawn: DrawnCase, first: CaseResult): Promise<void> {
    const { kind, replay } = drawn;
    if (!isGenerated(kind) || replay === undefined || first.isUnconfirmed) return;
    const failing = this.#failing(first).filter((one) => !this.#shrunk.has(one));
    const [requirement] = failing;
    if (requirement === undefined) return;
    for (const one of failing) this.#shrunk.add(one);
    this.#options.onFailure(requirement.slug);
    const { results } = this.#world.history;
    let smallest: CaseResult | undefined;
    const path = await shrinkCase(kind, replay, async (one) => {
      if (this.#options.isOver()) return false;
      const planned = this.#plan({ case: one, kind });
      const result = await this.#withoutSkipped(() => sendAndRecord(this.#world, planned));
      if (result === undefined) return false;
      const isLike = this.#failing(result).some((other) => failing.includes(other));
      const dropped = isLike ? smallest : result;
      if (isLike) smallest = result;
      if (dropped) results.splice(results.indexOf(dropped), 1);
      return isLike;
    });
    if (smallest === undefined) return;
    smallest.name = `${smallest.name} (path ${kind.name}/${replay.seed}/${path})`;
    results.splice(results.indexOf(smallest), 1);
    results.splice(results.indexOf(first), 1, smallest);
  }
}

const isOf = (one: Case, result: CaseResult): boolean =>
  one.name === result.name && one.operation === result.operation;
