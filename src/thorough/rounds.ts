import type { Creation, NewUser } from '../history/creation.ts';
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

/** The contents of rounds. */
export interface RoundOptions {
  seed: number;
  sources: readonly Source[];
  sequences: readonly SequenceKind[];
  /** The requirements on a user who is created in a sequence. */
  created: readonly string[];
  /** Whether a wanted requirement needs a part of the run. */
  needs: (part: Part) => boolean;
  requirements: readonly Requirement[];
  /** Reports the present activity. */
  report: (activity: string) => void;
}

/** The sizes of bursts, in turn: pools, batches and limits have such sizes. */
const BURST_SIZES = [44, 12, 33, 70, 24, 90];
/** The offset between the sizes for reads and for creations of one round. */
const READ_OFFSET = 3;
/** A kind with this many cases in a round takes its number of cases from the burst sizes. */
const LARGE = 44;
/** Cases that are sent between two checks of the budget. */
const SLICE = 96;
/** Lists at the same moment. */
const LISTS_AT_ONCE = 6;
/** Lists beside creations, one after the other. */
const LISTS_BESIDE = 6;
/** Characters of a name: more than all escapes and much white space add to a body. */
const LONG_NAME = 1200;
/** Creations of each kind after the pause. */
const AFTER_PAUSE = 4;
/** The difference between the seeds of two kinds of sequences, apart from the seeds of cases. */
const SEQUENCE_SEED_STEP = 100_000;

/** Sends rounds of drawn cases and sequences, and of usual requests between them. */
export class Rounds {
  readonly sender: DrawnSender;
  /** The number of rounds so far. */
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
      isOver: () => this.#isOver(),
      onFailure: (slug) => options.report(`${slug} failed: looking for the smallest case`),
    });
  }

  #isOver(): boolean {
    return this.#budget.whyOver() !== undefined;
  }

  /** Whether there is nothing to send. */
  get isEmpty(): boolean {
    const { sources, sequences, needs } = this.#options;
    return sources.length === 0 && sequences.length === 0 && !needs('list');
  }

  /** Sends a round. Creations come first, so that lists and reads are settled at the end. */
  async send(): Promise<void> {
    const drawn = this.#draw();
    const sentBy = (how: DrawnCases['how']) => drawn.filter(({ kind }) => kind.how === how);
    const usual = sentBy(undefined);
    const creations = usual.filter(isCreation);
    const reads = usual.filter((drawnCase) => !isCreation(drawnCase));
    if (this.sent === 0) await this.#allowLongBodies();
    await this.#createTogether(sentBy('together'));
    await this.#createOthers(creations);
    await this.sender.send(creations, (planned) => this.#createBesideLists(planned));
    await this.sender.send(sentBy('disturbing'), (planned) => {
      return sendDisturbing(this.#world, planned, undefined);
    });
    await this.#sendSequences();
    // The total of a rewritten list request is compared with that of the list before.
    await settle(this.#world);
    await this.#sendInSlices(reads);
    await this.#readSome();
    await this.#fetchLists(sentBy('before a list'));
    this.sent += 1;
  }

  /** Sends usual requests after a pause, which show losses of a pool or a cache meanwhile. */
  async sendAfterPause(): Promise<void> {
    const concurrent = this.#options.sources.filter(({ kind }) => kind.how === 'together');
    const users = AFTER_PAUSE * concurrent.length;
    if (this.#budget.usersLeft() > users) {
      await this.#createTogether(concurrent.flatMap(({ take }) => take(AFTER_PAUSE)));
    }
    await this.readAll();
  }

  /** Fetches the list, and retrieves all users again. */
  async readAll(): Promise<void> {
    const { needs } = this.#options;
    if (needs('list')) await settledList(this.#world);
    if (!needs('users')) return;
    await readUsers(this.#world, this.#world.ledger.identified);
    if (needs('end')) await readExistingUsers(this.#world);
  }

  /** Sends the case or sequence of a path again: a kind, a seed, and the path of fast-check. */
  async replay(path: string): Promise<void> {
    const [name = '', seedText = '', casePath = '0'] = path.split('/');
    const seed = Number(seedText);
    const sequence = this.#options.sequences.find((kind) => kind.name === name);
    if (sequence) await this.#sendSequence(sequence, seed);
    const source = this.#options.sources.find(({ kind }) => kind.name === name);
    if (source) await this.sender.replay(source.kind, { seed, path: casePath });
  }

  /** Draws the cases of a round, and leaves out creations beyond the limit of users. */
  #draw(): DrawnCase[] {
    const { readOnly } = this.#world.settings;
    let usersLeft = this.#budget.usersLeft();
    return this.#options.sources.flatMap(({ kind, take }) => {
      const drawn = take(this.#sizeOf(kind));
      return drawn.filter((drawnCase) => {
        if (!isCreation(drawnCase)) return true;
        if (readOnly) return false;
        const { expected = 'rejected' } = drawnCase.case;
        if (expected === 'rejected') return true;
        usersLeft -= 1;
        return usersLeft >= 0;
      });
    });
  }

  /** Returns the number of cases of a kind in this round. */
  #sizeOf({ perRound, how }: DrawnCases): number {
    return perRound >= LARGE && how === 'together' ? this.#burstSize(0) : perRound;
  }

  #burstSize(offset: number): number {
    return BURST_SIZES[(this.sent + offset) % BURST_SIZES.length] as number;
  }

  /** Creates a user with a long name. If the service accepts it, other bodies may be as long. */
  async #allowLongBodies(): Promise<void> {
    if (this.#budget.usersLeft() === 0) return;
    const name = (plain: Pick<NewUser, 'name'>) => `${plain.name} ${'x'.repeat(LONG_NAME)}`;
    await createUser(this.#world, { name: 'a long name', kind: { name }, expected: 'either' });
  }

  async #createTogether(drawn: DrawnCase[]): Promise<void> {
    if (drawn.length === 0) return;
    await this.sender.send(drawn, (planned) => createTogether(this.#world, planned));
    await settledList(this.#world);
  }

  /** Creates a user for each case whose new user shares an email or a name with another one. */
  async #createOthers(drawn: readonly DrawnCase[]): Promise<void> {
    const sharing = drawn.filter(({ case: testCase }) => testCase.rereadsShared);
    for (const _ of sharing) await sendUsual(this.#world, 'POST /users');
  }

  /** Sends creations, and lists one after the other beside them. */
  async #createBesideLists(planned: PlannedCase[]): Promise<void> {
    let isOver = false;
    const fetchLists = async () => {
      for (let times = 0; times < LISTS_BESIDE && !isOver; times += 1) {
        await this.#world.fetchList();
      }
    };
    const lists = this.#options.needs('list') ? fetchLists() : Promise.resolve();
    const creations = carryOut(this.#world, planned).finally(() => {
      isOver = true;
    });
    await Promise.all([creations, lists]);
  }

  async #sendSequences(): Promise<void> {
    const { seed, sequences } = this.#options;
    for (const [index, kind] of sequences.entries()) {
      const firstSeed = seed + SEQUENCE_SEED_STEP * (index + 1) + kind.perRound * this.sent;
      if (kind.isSettled) await settle(this.#world);
      for (let count = 0; count < kind.perRound; count += 1) {
        if (this.#isOver()) return;
        await this.#sendSequence(kind, firstSeed + count);
      }
    }
  }

  async #sendSequence(kind: SequenceKind, seed: number): Promise<void> {
    const { created, report } = this.#options;
    const path = await sendSequence(this.#world, kind, seed, {
      mayCreate: () => this.#budget.usersLeft() > 0,
      isOver: () => this.#isOver(),
      created,
    });
    this.sender.kinds.add(kind.name, `${seed}`);
    if (path) report(`a sequence failed: ${path}`);
  }

  /** Sends some cases at a time, because a service may take long for each. */
  async #sendInSlices(drawn: readonly DrawnCase[]): Promise<void> {
    for (let begin = 0; begin < drawn.length; begin += SLICE) {
      if (this.#isOver()) return;
      const slice = drawn.slice(begin, begin + SLICE);
      await this.sender.send(slice, (planned) => carryOut(this.#world, planned));
    }
  }

  /** Retrieves users at the same moment, in bursts of several sizes. */
  async #readSome(): Promise<void> {
    const { seed, needs } = this.#options;
    if (!needs('users')) return;
    const users = shuffle(this.#world.ledger.identified, seed + this.sent);
    const burst: Creation[] = [];
    for (let index = 0; index < this.#burstSize(READ_OFFSET); index += 1) {
      const user = users[index % users.length];
      if (user) burst.push(user);
    }
    if (burst.length > 0) await readUsers(this.#world, burst);
  }

  async #fetchLists(casesBefore: DrawnCase[]): Promise<void> {
    if (!this.#options.needs('list')) return;
    await settle(this.#world);
    for (const drawnCase of casesBefore) {
      await this.sender.send([drawnCase], (planned) => carryOut(this.#world, planned));
      await fetchSettledList(this.#world);
    }
    await fetchListsTogether(this.#world, LISTS_AT_ONCE);
  }
}

const isCreation = ({ case: testCase }: DrawnCase): boolean => testCase.operation === 'POST /users';
