import fc from 'fast-check';
import type { CaseResult } from '../history/history.ts';
import { type Connection, isSuccess } from '../http/exchange.ts';
import { type Case, isValidCase } from '../requirement/case.ts';
import type { PlannedCase } from '../run/runner.ts';
import type { World } from '../run/world.ts';
import {
  type Command,
  CreateUser,
  ListUsers,
  type Model,
  type Real,
  RetrieveUser,
  SendCase,
  WrongResponse,
} from './commands.ts';

/** A kind of sequences. */
export interface SequenceKind {
  name: string;
  sequences: fc.Arbitrary<Sequence>;
  /** The number of sequences in each round. */
  perRound: number;
  /** Whether the settle time is over before, so that each list must be right at once. */
  isSettled?: true;
}

/** A sequence of commands. */
interface Sequence {
  /** Whether all requests go on one connection. */
  isOnOne: boolean;
  commands: Iterable<Command>;
}

/** Requests in a sequence, at most. */
const LENGTH = 24;
/** Valid requests on one connection: a server may close or limit it only after so many. */
const LONGEST = 60;

/** Returns the kinds of sequences with some cases, and with others that are sent in a row. */
export function sequenceKinds(
  planned: readonly PlannedCase[],
  rows: readonly PlannedCase[],
): SequenceKind[] {
  const list = fc.constant(new ListUsers());
  const create = fc.constant(new CreateUser());
  const position = fc.integer({ min: 0, max: 999 });
  const retrieve = position.map((thousandths) => new RetrieveUser(thousandths / 1000));
  const valid = [list, create, retrieve];
  const anyCase = oneCaseOf(planned);
  const creatingNone = oneCaseOf(planned.filter((plan) => !createsUser(plan.case)));
  return [
    {
      name: 'sequences',
      perRound: 6,
      sequences: sequenceOf([...valid, anyCase, anyCase, anyCase], LENGTH),
    },
    {
      name: 'sequences without new users',
      perRound: 4,
      isSettled: true,
      sequences: sequenceOf([list, retrieve, creatingNone, creatingNone], LENGTH),
    },
    {
      name: 'valid requests in a row',
      perRound: 1,
      sequences: sequenceOf(valid, LONGEST),
    },
    {
      name: 'the same rejected request in a row',
      perRound: 3,
      sequences: rowOf(rows),
    },
  ];
}

const oneCaseOf = (planned: readonly PlannedCase[]): fc.Arbitrary<SendCase> =>
  fc.constantFrom(...planned).map((plan) => new SendCase(plan));

/** Whether a case creates a user. A service may reject users who share an email or a name. */
const createsUser = (testCase: Case): boolean =>
  testCase.operation === 'POST /users' && isValidCase(testCase) && testCase.rereadsShared !== true;

const sequenceOf = (
  commands: fc.Arbitrary<Command>[],
  maxCommands: number,
): fc.Arbitrary<Sequence> =>
  fc.record({
    isOnOne: fc.boolean(),
    commands: fc.commands<Model, Real, false>(commands, { maxCommands, size: 'max' }),
  });

/** Times that the same request is rejected in a row: more than most pools and limits allow. */
const LEAST_TIMES = 24;
const MOST_TIMES = 40;

/** Returns sequences of one case, many times, and a valid request of each operation after it. */
function rowOf(rows: readonly PlannedCase[]): fc.Arbitrary<Sequence> {
  const validCommands = [new ListUsers(), new CreateUser(), new RetrieveUser(0)];
  const parts = fc.tuple(
    fc.constantFrom(...rows),
    fc.integer({ min: LEAST_TIMES, max: MOST_TIMES }),
    fc.shuffledSubarray<Command>(validCommands, { minLength: validCommands.length }),
  );
  const commands = parts.map(([plan, times, followUps]) => {
    return [new SendCase(plan, times), ...followUps];
  });
  return fc.record({ isOnOne: fc.boolean(), commands });
}

export interface SequenceOptions extends Pick<Real, 'mayCreate' | 'created'> {
  /** Whether nothing more may be sent. */
  isOver: () => boolean;
}

/** Requests of the search for a shorter failing sequence, at most. */
const MOST_SHRINKS = 12;

/**
 * Sends a sequence with nothing else in flight. Records a wrong response for the requirements to
 * judge. Then fast-check searches for a shorter sequence that still fails, and only that one stays
 * recorded. Returns the path of the failed sequence; undefined if all responses were right.
 */
export async function sendSequence(
  world: World,
  { sequences, name }: SequenceKind,
  seed: number,
  options: SequenceOptions,
): Promise<string | undefined> {
  const { results, skipped } = world.history;
  const before = results.length;
  const skippedBefore = skipped.length;
  let shortest: CaseResult[] = [];
  const limited = fc.limitShrink(sequences, MOST_SHRINKS);
  const property = fc.asyncProperty(limited, async (sequence) => {
    if (options.isOver()) return;
    const begin = results.length;
    try {
      await runSequence(world, sequence, options);
    } catch (error) {
      if (error instanceof WrongResponse) shortest = results.slice(begin);
      throw error;
    } finally {
      const relevant = results.slice(begin).filter((result) => isRelevant(result));
      results.splice(begin, results.length, ...relevant);
      skipped.splice(skippedBefore);
    }
  });
  const details = await fc.check(property, { seed, numRuns: 1 });
  if (!details.failed) return undefined;
  if (!(details.errorInstance instanceof WrongResponse)) throw details.errorInstance;
  // A path has no position of the shortest sequence, because the replay shrinks it once more.
  const path = `${name}/${seed}`;
  for (const result of shortest) result.name = `${result.name} (path ${path})`;
  const relevant = shortest.filter((result) => isRelevant(result));
  const others = results.slice(before).filter((result) => !shortest.includes(result));
  results.splice(before, results.length, ...relevant, ...others);
  return path;
}

async function runSequence(
  world: World,
  { isOnOne, commands }: Sequence,
  { mayCreate, created }: SequenceOptions,
): Promise<void> {
  const run = (connection: Connection | undefined) => {
    const model: Model = { ledger: world.ledger, rejected: undefined };
    const real: Real = { world, connection, mayCreate, created };
    return fc.asyncModelRun(() => ({ model, real }), commands);
  };
  if (isOnOne) await world.client.onOneConnection(run);
  else await run(undefined);
}

/** Whether checks need a result. They don't need right responses to negative requests. */
function isRelevant(result: CaseResult): boolean {
  const { creation, followUps = [], exchange, holds, concurrent } = result;
  if (creation && creation.response !== 'rejected') return true;
  if (followUps.length > 0 || isSuccess(exchange)) return true;
  return holds !== undefined || concurrent !== undefined;
}
