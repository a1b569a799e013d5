import type { CaseResult } from '../history/history.ts';
import { type Case, isValidCase } from '../requirement/case.ts';
import { isFailing } from '../requirement/judge.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { carryOut, type PlannedCase, sendAndRecord } from '../run/runner.ts';
import type { World } from '../run/world.ts';
import type { Budget } from './budget.ts';
import { type Drawn, nameOf, type Sequence, shrink } from './draw.ts';
import { sendSequence } from './sequences.ts';

/** Cases and sequences that are sent to find the smallest one, at most. */
const MOST_CASES = 60;
const MOST_SEQUENCES = 15;

/** The results of a case or a sequence. */
interface Attempt {
  results: readonly CaseResult[];
  /** The requirements that fail, or the kind of a sequence in which a response is wrong. */
  failed: readonly string[];
}

/** Sends drawn cases and sequences, and searches for the smallest ones that fail. */
export class Sender {
  /** The names of the cases and sequences that were sent, by the name of their kind. */
  readonly #sent = new Map<string, Set<string>>();
  readonly #world: World;
  readonly #budget: Budget;
  readonly #requirements: readonly Requirement[];
  /** The requirements on a user who is created in a sequence. */
  readonly #created: readonly string[];
  /** Everything that failed and was shrunk. */
  readonly #shrunk = new Set<string>();

  constructor(
    world: World,
    budget: Budget,
    requirements: readonly Requirement[],
    created: readonly string[],
  ) {
    this.#world = world;
    this.#budget = budget;
    this.#requirements = requirements;
    this.#created = created;
  }

  /** Sends cases, several at a time unless `sendAll` sends them in another way. */
  async sendCases(drawn: readonly Drawn<Case>[], sendAll = carryOut): Promise<void> {
    if (drawn.length === 0) return;
    const planned = drawn.map(({ value, kind }) => this.#plan(value, kind.slugs));
    const results = await this.#record(() => sendAll(this.#world, planned));
    const telling = this.#keepTelling(results);
    for (const drawnCase of drawn) {
      const result = results.find((candidate) => nameOf(candidate) === nameOf(drawnCase.value));
      if (result === undefined) continue;
      this.#count(drawnCase);
      const failed = this.#failedBy(result);
      if (telling.includes(result)) await this.#shrink(drawnCase, { results: [result], failed });
    }
  }

  async sendSequence(drawn: Drawn<Sequence>): Promise<void> {
    this.#count(drawn);
    await this.#shrink(drawn, await this.#attempt(drawn, drawn.value));
  }

  /** Returns how many different cases and sequences of each kind were sent. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#sent].map(([kind, names]) => [kind, names.size]));
  }

  #count({ kind, value }: Drawn<Case | Sequence>): void {
    const names = this.#sent.get(kind.name) ?? new Set();
    this.#sent.set(kind.name, names.add(nameOf(value)));
  }

  /** Plans a case. The requirements that declare a valid case also judge it in a sequence. */
  #plan(testCase: Case, slugs: readonly string[]): PlannedCase {
    const isValid = isValidCase(testCase);
    const judging = this.#requirements.filter(({ slug, cases }) => {
      return slugs.includes(slug) || (isValid && cases?.includes(testCase));
    });
    return { case: testCase, requirements: judging };
  }

  /** Returns the new results. A skipped case is not recorded: another is drawn in its place. */
  async #record(send: () => Promise<unknown>): Promise<CaseResult[]> {
    const { results, skipped } = this.#world.history;
    const resultsBefore = results.length;
    const skippedBefore = skipped.length;
    await send();
    skipped.splice(skippedBefore);
    return results.slice(resultsBefore);
  }

  /** Drops the results that prove nothing more, and returns the others. */
  #keepTelling(results: readonly CaseResult[]): CaseResult[] {
    const telling = results.filter((result) => this.#isTelling(result));
    this.#drop(results.filter((result) => !telling.includes(result)));
    return telling;
  }

  /** Whether checks need a result: right responses to negative requests prove nothing more. */
  #isTelling(result: CaseResult): boolean {
    const { concurrent, creation, followUps, holds, isUnconfirmed, unanswered } = result;
    if (concurrent || followUps || holds || isUnconfirmed || unanswered) return true;
    if (creation && creation.response !== 'rejected') return true;
    return this.#failedBy(result).length > 0;
  }

  #drop(dropped: readonly CaseResult[]): void {
    const { results } = this.#world.history;
    const kept = results.filter((result) => !dropped.includes(result));
    results.splice(0, results.length, ...kept);
  }

  #failedBy(result: CaseResult): string[] {
    const { history } = this.#world;
    const failing = this.#requirements.filter((requirement) => {
      return result.slugs.includes(requirement.slug) && isFailing(requirement, result, history);
    });
    return failing.map(({ slug }) => slug);
  }

  /** Sends a case or a sequence with nothing else in flight. */
  async #attempt({ kind }: Drawn<Case | Sequence>, value: Case | Sequence): Promise<Attempt> {
    const plan = (testCase: Case) => this.#plan(testCase, kind.slugs);
    let isRight = true;
    const results = await this.#record(async () => {
      if ('steps' in value) {
        isRight = await sendSequence(this.#world, value, {
          plan,
          created: this.#created,
          mayCreate: () => this.#budget.usersLeft > 0,
        });
      } else {
        await sendAndRecord(this.#world, plan(value));
      }
    });
    const failed = results.flatMap((result) => this.#failedBy(result));
    if (!isRight) failed.push(kind.name);
    return { results: this.#keepTelling(results), failed };
  }

  /** Searches for the smallest value that fails, whose results replace those of the first. */
  async #shrink<T extends Case | Sequence>(drawn: Drawn<T>, first: Attempt): Promise<void> {
    const isUnconfirmed = first.results.some((result) => result.isUnconfirmed);
    const failed = first.failed.filter((name) => !this.#shrunk.has(name));
    const [name] = failed;
    if (name === undefined || isUnconfirmed) return;
    for (const shrunk of failed) this.#shrunk.add(shrunk);
    this.#budget.report(`${name} failed: looking for the smallest case`);
    let smallest: T | undefined;
    let { results } = first;
    const most = 'steps' in drawn.value ? MOST_SEQUENCES : MOST_CASES;
    await shrink(drawn, most, async (value) => {
      if (this.#budget.isOver) return false;
      const attempt = await this.#attempt(drawn, value);
      const isAlike = attempt.failed.some((slug) => failed.includes(slug));
      this.#drop(isAlike ? results : attempt.results);
      if (!isAlike) return false;
      smallest = value;
      results = attempt.results;
      return true;
    });
    if (smallest === undefined || !('steps' in smallest)) return;
    for (const result of results) result.name += ` (in the sequence: ${smallest.name})`;
  }
}
