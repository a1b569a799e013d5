import type { Creation } from '../history/creation.ts';
import { type Case, CREATE, type UserKind } from '../requirement/case.ts';
import type { Part, Requirement } from '../requirement/requirement.ts';
import { createTogether } from '../run/concurrency.ts';
import { createUser } from '../run/create-user.ts';
import { settledList } from '../run/settled-list.ts';
import type { World } from '../run/world.ts';
import type { Budget } from './budget.ts';
import { type Drawn, type Kind, type Sequence, type Source, sourceOf } from './draw.ts';
import { fetchListsTogether, readManyExistingUsers, readUsers, settle } from './reads.ts';
import { Sender } from './sender.ts';
import { createsUsers } from './sequences.ts';

/** The cases and sequences that a thorough run draws. */
export interface Thorough {
  cases: readonly Kind<Case>[];
  sequences: readonly Kind<Sequence>[];
  /** The requirements on a user who is created in a sequence. */
  created: readonly string[];
}

export interface RoundOptions {
  /** The seed from which all cases follow. */
  seed: number;
  requirements: readonly Requirement[];
  isWanted: (slug: string) => boolean;
  thorough: Thorough;
}

/** The difference between the seeds of two kinds in a row. */
const SEED_STEP = 1000;
/** Users that are retrieved at the same moment, in turn: pools, batches and limits have such sizes. */
const READS_AT_ONCE = [70, 24, 90, 44, 12, 33];
const MOST_READS = Math.max(...READS_AT_ONCE);
/** Lists at the same moment, and beside creations. */
const LISTS = 6;
/** Cases that are sent between two checks of the budget, because a service may take long for each. */
const SLICE = 96;
/** If the service accepts this user, other bodies may be as long. */
const LONG_NAME: UserKind = { name: ({ name }) => `${name} ${'x'.repeat(1200)}` };

/** Sends rounds of drawn cases and sequences, and of usual requests between them. */
export class Rounds {
  /** The number of rounds so far. */
  sent = 0;
  readonly sender: Sender;
  readonly #world: World;
  readonly #budget: Budget;
  readonly #wanted: readonly Requirement[];
  readonly #cases: readonly Source<Case>[];
  readonly #sequences: readonly Source<Sequence>[];

  constructor(world: World, budget: Budget, options: RoundOptions) {
    const { seed, requirements, isWanted, thorough } = options;
    const { cases, sequences, created } = thorough;
    this.sender = new Sender(world, budget, requirements, created);
    this.#world = world;
    this.#budget = budget;
    this.#wanted = requirements.filter(({ slug }) => isWanted(slug));
    this.#cases = this.#sourcesOf(cases, seed);
    this.#sequences = this.#sourcesOf(sequences, seed + SEED_STEP * cases.length);
  }

  /** Makes the sources of the kinds that wanted requirements need. */
  #sourcesOf<T extends Case | Sequence>(kinds: readonly Kind<T>[], firstSeed: number): Source<T>[] {
    return kinds.flatMap((kind, index) => {
      const isWanted = this.#wanted.some((requirement) => isNeeded(kind, requirement));
      return isWanted ? [sourceOf(kind, firstSeed + SEED_STEP * index)] : [];
    });
  }

  /** Whether a wanted requirement needs a part of the run. */
  #needs(part: Part): boolean {
    return this.#wanted.some((requirement) => needsPart(requirement, part));
  }

  /** Whether there is nothing to send. */
  get isEmpty(): boolean {
    return this.#cases.length + this.#sequences.length === 0 && !this.#needs('list');
  }

  /** Sends a round. Creations come first, so that lists and reads are settled at the end. */
  async send(): Promise<void> {
    const drawn = this.#affordable(drawFrom(this.#cases, this.sent));
    const sequences = drawFrom(this.#sequences, this.sent);
    if (this.sent === 0) await this.#allowLongBodies();
    await this.#createTogether(drawn.filter(isTogether));
    const others = drawn.filter((drawnCase) => !isTogether(drawnCase));
    await Promise.all([this.#sendCases(others.filter(isCreation)), this.#fetchListsBeside()]);
    await this.#sendSequences(sequences.filter(({ value }) => createsUsers(value)));
    await this.#sendSequences(sequences.filter(({ value }) => !createsUsers(value)));
    // The total of a rewritten list request is compared with that of the list before.
    await settle(this.#world);
    await this.#sendCases(others.filter((drawnCase) => !isCreation(drawnCase)));
    await this.read(this.#someUsers());
    this.sent += 1;
  }

  /** Returns users, each round others, as long as there are some. */
  #someUsers(): Creation[] {
    const { identified } = this.#world.ledger;
    const places = Array.from({ length: inTurn(READS_AT_ONCE, this.sent) }, (_, at) => {
      return (this.sent * MOST_READS + at) % identified.length;
    });
    return places.flatMap((place) => identified[place] ?? []);
  }

  /** Fetches lists and retrieves users, each at the same moment, if checks need them. */
  async read(users: readonly Creation[]): Promise<void> {
    if (this.#needs('list')) await fetchListsTogether(this.#world, LISTS);
    if (this.#needs('users')) await readUsers(this.#world, users);
    if (this.#needs('end')) await readManyExistingUsers(this.#world);
  }

  /** Leaves out creations in read-only mode, and those beyond the limit of users. */
  #affordable(drawn: readonly Drawn<Case>[]): Drawn<Case>[] {
    let { usersLeft } = this.#budget;
    return drawn.filter((drawnCase) => {
      if (!isCreation(drawnCase)) return true;
      if (this.#world.settings.readOnly) return false;
      const { expected = 'rejected' } = drawnCase.value;
      if (expected !== 'rejected') usersLeft -= 1;
      return expected === 'rejected' || usersLeft >= 0;
    });
  }

  async #allowLongBodies(): Promise<void> {
    if (this.#budget.usersLeft === 0) return;
    await createUser(this.#world, { name: 'a long name', kind: LONG_NAME, expected: 'either' });
  }

  async #createTogether(drawn: readonly Drawn<Case>[]): Promise<void> {
    if (drawn.length === 0) return;
    await this.sender.sendCases(drawn, createTogether);
    await settledList(this.#world);
  }

  /** Fetches lists one after the other, while users are created. */
  async #fetchListsBeside(): Promise<void> {
    const count = this.#needs('list') ? LISTS : 0;
    for (let times = 0; times < count; times += 1) await this.#world.fetchList();
  }

  async #sendCases(drawn: readonly Drawn<Case>[]): Promise<void> {
    for (let begin = 0; begin < drawn.length && !this.#budget.isOver; begin += SLICE) {
      await this.sender.sendCases(drawn.slice(begin, begin + SLICE));
    }
  }

  async #sendSequences(drawn: readonly Drawn<Sequence>[]): Promise<void> {
    for (const sequence of drawn) {
      if (this.#budget.isOver) return;
      // If nobody is created, each list must be right at once.
      if (!createsUsers(sequence.value)) await settle(this.#world);
      await this.sender.sendSequence(sequence);
    }
  }
}

/** Whether a requirement judges a kind. */
export const isNeeded = ({ slugs, part }: Kind<unknown>, requirement: Requirement): boolean =>
  requirement.needs === 'everything' ||
  slugs.includes(requirement.slug) ||
  (part !== undefined && needsPart(requirement, part));

const needsPart = ({ needs = [] }: Requirement, part: Part): boolean =>
  needs === 'everything' || needs.includes(part);

/** Draws the cases or sequences of a round. */
const drawFrom = <T>(sources: readonly Source<T>[], round: number): Drawn<T>[] =>
  sources.flatMap(({ kind, draw }) => draw(inTurn([kind.perRound].flat(), round)));

const inTurn = (numbers: readonly number[], turn: number): number =>
  numbers[turn % numbers.length] ?? 0;

const isCreation = ({ value }: Drawn<Case>): boolean => value.operation === CREATE;

const isTogether = ({ value }: Drawn<Case>): boolean => value.phase === 'together';
