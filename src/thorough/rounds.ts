import type { Creation } from '../history/creation.ts';
import type { Part, Requirement } from '../requirement/requirement.ts';
import { createTogether } from '../run/concurrency.ts';
import { createUser } from '../run/create-user.ts';
import { sendDisturbing } from '../run/disturbing.ts';
import { carryOut, type PlannedCase, sendUsual } from '../run/runner.ts';
import { settledList } from '../run/settled-list.ts';
import type { World } from '../run/world.ts';
import type { Budget } from './budget.ts';
import { type DrawnCase, type DrawnCases, type Source, shuffle } from './drawn-cases.ts';
import {
  fetchListsTogether,
  fetchSettledList,
  readExistingUsers,
  readUsers,
  settle,
} from './reads.ts';
import { DrawnSender } from './send-drawn.ts';
import { type SequenceKind, sendSequence } from './sequences.ts';

/** What rounds are made of. */
export interface RoundOptions {
  seed: number;
  sources: readonly Source[];
  sequences: readonly SequenceKind[];
  /** The requirements on a user who is created in a sequence. */
  created: readonly string[];
  /** Whether a wanted requirement needs a part of the run. */
  needs: (part: Part) => boolean;
  requirements: readonly Requirement[];
  /** Tells what is done. */
  tell: (what: string) => void;
}

/**
 * The sizes of bursts of creations and of reads, in turn: pools, batches and limits have such
 * sizes.
 */
const BURSTS = [44, 12, 33, 70, 24, 90];
/** A kind with so many cases a round changes the size of its bursts. */
const LARGE = 44;
/** Cases that are sent between two looks at the budget. */
const SLICE = 96;
/** Lists at the same moment. */
const LISTS_AT_ONCE = 6;
/** Lists beside creations, one after the other. */
const LISTS_BESIDE = 6;
/** Characters of a name that every escape and much white space fit beside. */
const LONG_NAME = 1200;
/** Creations of each kind after the pause. */
const AFTER_PAUSE = 4;
/** The seeds of sequences are apart from those of cases. */
const SEQUENCE_SEEDS = 100_000;

/** Rounds of drawn cases and sequences, and of usual requests between them. */
export class Rounds {
  readonly sender: DrawnSender;
  /** Rounds that were sent. */
  sent = 0;
  readonly #world: World;
  readonly #budget: Budget;
  readonly #options: RoundOptions;

  constructor(world: World, budget: Budget, options: RoundOptions) {
    this.#world = world;
    this.#budget = budget;
    this.#options = options;
    this.sender = new DrawnSender(world, {
      requirements: options.requirements,
      isOver: () => budget.whyOver() !== undefined,
      onFailure: (slug) => options.tell(`${slug} failed: looking for the smallest case`),
    });
  }

  /** Whether there is nothing to send. */
  get isEmpty(): boolean {
    const { sources, sequences, needs } = this.#options;
    return sources.length + sequences.length === 0 && !needs('list');
  }

  /** Sends a round: what creates users first, so that lists and reads are settled at the end. */
  async send(): Promise<void> {
    const drawn = this.#draw();
    const sentBy = (how: DrawnCases['how']) => drawn.filter(({ kind }) => kind.how === how);
    const creations = sentBy(undefined).filter(isCreation);
    const others = sentBy(undefined).filter((one) => !isCreation(one));
    if (this.sent === 0) await this.#allowLongBodies();
    await this.#createTogether(sentBy('together'));
    await this.#createOthers(creations);
    await this.sender.send(creations, (planned) => this.#createBesideLists(planned));
    await this.sender.send(sentBy('disturbing'), (planned) => {
      return sendDisturbing(this.#world, planned, undefined);
    });
    await this.#sendSequences();
    // The total of a list that is written in another way is compared with that of the list before.
    await settle(this.#world);
    await this.#sendInSlices(others);
    await this.#readSome();
    await this.#fetchLists(sentBy('before a list'));
    this.sent += 1;
  }

  /** Sends usual requests after a pause: what a pool or a cache lost meanwhile shows. */
  async sendAfterPause(): Promise<void> {
    const usual = this.#options.sources.filter(({ kind }) => kind.how === 'together');
    const isRoom = this.#budget.usersLeft() > AFTER_PAUSE * usual.length;
    if (isRoom) await this.#createTogether(usual.flatMap(({ take }) => take(AFTER_PAUSE)));
    await this.lookAtAll();
  }

  /** Retrieves all users again, and fetches the list. */
  async lookAtAll(): Promise<void> {
    const { needs } = this.#options;
    if (needs('list')) await settledList(this.#world);
    if (!needs('users')) return;
    await readUsers(this.#world, this.#world.ledger.identified);
    if (needs('end')) await readExistingUsers(this.#world);
  }

  /** Sends again what a path names: a kind, a seed, and the path of fast-check. */
  async replay(path: string): Promise<void> {
    const [name = '', seedText = '', own = '0'] = path.split('/');
    const seed = Number(seedText);
    const sequence = this.#options.sequences.find((kind) => kind.name === name);
    if (sequence) await this.#sendSequence(sequence, seed);
    const source = this.#options.sources.find(({ kind }) => kind.name === name);
    if (source) await this.sender.replay(source.kind, { seed, path: own });
  }

  /** Draws as many cases of each kind as a round takes and as there is room for users. */
  #draw(): DrawnCase[] {
    let room = this.#budget.usersLeft();
    const { readOnly } = this.#world.settings;
    return this.#options.sources.flatMap(({ kind, take }) => {
      const isLarge = kind.perRound >= LARGE && kind.how === 'together';
      return take(isLarge ? this.#burst(0) : kind.perRound).filter((drawn) => {
        if (!isCreation(drawn)) return true;
        if (readOnly) return false;
        if (drawn.case.expected === undefined || drawn.case.expected === 'rejected') return true;
        room -= 1;
        return room >= 0;
      });
    });
  }

  #burst(ahead: number): number {
    return BURSTS[(this.sent + ahead) % BURSTS.length] as number;
  }

  async #createTogether(drawn: DrawnCase[]): Promise<void> {
    if (drawn.length === 0) return;
    await this.sender.send(drawn, (planned) => createTogether(this.#world, planned));
    await settledList(this.#world);
  }

  /** Sends cases, a part of them at a time: a service may take long for each. */
  async #sendInSlices(drawn: readonly DrawnCase[]): Promise<void> {
    for (let at = 0; at < drawn.length; at += SLICE) {
      if (this.#budget.whyOver() !== undefined) return;
      const slice = drawn.slice(at, at + SLICE);
      await this.sender.send(slice, (planned) => carryOut(this.#world, planned));
    }
  }

  /** Creates a user with a long name: if it is accepted, an equivalent creation may be as long. */
  async #allowLongBodies(): Promise<void> {
    if (this.#budget.usersLeft() === 0) return;
    const name = ({ name: own }: { name: string }) => `${own} ${'x'.repeat(LONG_NAME)}`;
    await createUser(this.#world, { name: 'a long name', kind: { name }, expected: 'either' });
  }

  /** Creates users with whom others share an email or a name: each is taken once. */
  async #createOthers(drawn: readonly DrawnCase[]): Promise<void> {
    const twins = drawn.filter(({ case: one }) => one.rereadsShared);
    for (const _ of twins) await sendUsual(this.#world, 'POST /users');
  }

  /** Sends creations, and one list after the other beside them. */
  async #createBesideLists(planned: PlannedCase[]): Promise<void> {
    let isOver = false;
    const listAll = async () => {
      for (let times = 0; times < LISTS_BESIDE && !isOver; times += 1)
        await this.#world.fetchList();
    };
    const lists = this.#options.needs('list') ? listAll() : Promise.resolve();
    await carryOut(this.#world, planned);
    isOver = true;
    await lists;
  }

  async #sendSequences(): Promise<void> {
    const { seed, sequences } = this.#options;
    for (const [at, kind] of sequences.entries()) {
      const first = seed + SEQUENCE_SEEDS * (at + 1) + kind.perRound * this.sent;
      if (kind.isSettled) await settle(this.#world);
      for (let place = 0; place < kind.perRound; place += 1) {
        if (this.#budget.whyOver() !== undefined) return;
        await this.#sendSequence(kind, first + place);
      }
    }
  }

  async #sendSequence(kind: SequenceKind, seed: number): Promise<void> {
    const failed = await sendSequence(this.#world, kind, seed, {
      mayCreate: () => this.#budget.usersLeft() > 0,
      isOver: () => this.#budget.whyOver() !== undefined,
      created: this.#options.created,
    });
    this.sender.kinds.add(kind.name, `${seed}`);
    if (failed) this.#options.tell(`a sequence failed: ${failed}`);
  }

  /** Retrieves users at the same moment, in bursts of several sizes. */
  async #readSome(): Promise<void> {
    const known = this.#world.ledger.identified;
    if (known.length === 0 || !this.#options.needs('users')) return;
    const order = shuffle(known, this.#options.seed + this.sent);
    const users = Array.from({ length: this.#burst(3) }, (_, at): Creation => {
      return order[at % order.length] as Creation;
    });
    await readUsers(this.#world, users);
  }

  async #fetchLists(before: DrawnCase[]): Promise<void> {
    if (!this.#options.needs('list')) return;
    await settle(this.#world);
    for (const one of before) {
      await this.sender.send([one], (planned) => carryOut(this.#world, planned));
      await fetchSettledList(this.#world);
    }
    await fetchListsTogether(this.#world, LISTS_AT_ONCE);
  }
}

const isCreation = ({ case: one }: DrawnCase): boolean => one.operation === 'POST /users';
