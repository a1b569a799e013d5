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

/** Requests in a sequence, at most. */
const LENGTH = 24;
/** Valid requests on one connection: a server may close it, or count, only after so many. */
const LONGEST = 60;
/**
 * How often the same request is rejected in a row: more than most pools and limits of attempts
 * hold.
 */
const TIMES = { least: 24, most: 40 };

/** A sequence of commands, and whether all requests go on one connection. */
interface Sequence {
  isOnOne: boolean;
  commands: Iterable<Command>;
}

const list = fc.constant(new ListUsers());
const create = fc.constant(new CreateUser());
const retrieve = fc.integer({ min: 0, max: 999 }).map((share) => new RetrieveUser(share / 1000));
const valid: fc.Arbitrary<Command>[] = [list, create, retrieve];

/** What sequences are made of. */
export interface SequenceKind {
  name: string;
  sequences: fc.Arbitrary<Sequence>;
  perRound: number;
  /** Whether the settle time is over before, so that each list must be right at once. */
  isSettled?: true;
}

/** The kinds of sequences in which cases stand. */
export function sequenceKinds(
  planned: readonly PlannedCase[],
  rows: readonly PlannedCase[],
): SequenceKind[] {
  const row = fc.record({
    isOnOne: fc.boolean(),
    commands: fc
      .tuple(
        fc.constantFrom(...rows),
        fc.integer({ min: TIMES.least, max: TIMES.most }),
        fc.shuffledSubarray([new ListUsers(), new CreateUser(), new RetrieveUser(0)], {
          minLength: 3,
        }),
      )
      .map(([one, times, others]) => [new SendCase(one, times), ...others]),
  });
  const sending = (some: readonly PlannedCase[]) =>
    fc.constantFrom(...some).map((one) => new SendCase(one));
  const cases = sending(planned);
  const without = sending(planned.filter((one) => !createsUser(one.case)));
  return [
    {
      name: 'sequences',
      perRound: 6,
      sequences: sequenceOf([...valid, cases, cases, cases], LENGTH),
    },
    {
      name: 'sequences without new users',
      perRound: 4,
      isSettled: true,
      sequences: sequenceOf([list, retrieve, without, without], LENGTH),
    },
    { name: 'valid requests in a row', perRound: 1, sequences: sequenceOf(valid, LONGEST) },
    { name: 'the same rejected request in a row', perRound: 3, sequences: row },
  ];
}

/** Whether a case creates a user, unless the service rejects two who share something. */
const createsUser = (one: Case): boolean =>
  one.operation === 'POST /users' && isValidCase(one) && one.rereadsShared !== true;

const sequenceOf = (commands: fc.Arbitrary<Command>[], maxCommands: number) =>
  fc.record({
    isOnOne: fc.boolean(),
    commands: fc.commands<Model, Real, false>(commands, { maxCommands, size: 'max' }),
  });

/** How a sequence is sent. */
export interface SequenceOptions extends Pick<Real, 'mayCreate' | 'created'> {
  /** Whether nothing more may be sent. */
  isOver: () => boolean;
}

/** Requests that looking for a shorter failing sequence may take. */
const MOST_SHRINKS = 12;

/**
 * Sends a sequence with nothing else in flight. A wrong response is recorded for the requirements
 * to judge; then fast-check looks for a shorter sequence that still fails, which is the one that is
 * reported.
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
  const property = fc.asyncProperty(fc.limitShrink(sequences, MOST_SHRINKS), async (sequence) => {
    if (options.isOver()) return;
    const begin = results.length;
    try {
      await runOnConnection(world, sequence, options);
    } catch (error) {
      if (!(error instanceof WrongResponse)) throw error;
      shortest = results.slice(begin);
      throw error;
    } finally {
      const kept = results.slice(begin).filter((result) => isWorthKeeping(world, result));
      results.splice(begin, results.length, ...kept);
      skipped.splice(skippedBefore);
    }
  });
  const details = await fc.check(property, { seed, numRuns: 1 });
  if (!details.failed) return undefined;
  if (!(details.errorInstance instanceof WrongResponse)) throw details.errorInstance;
  // The sequence is shrunk once more when it is sent again: what ran decides what is shorter.
  const replay = `${name}/${seed}`;
  for (const result of shortest) result.name = `${result.name} (path ${replay})`;
  const others = results.slice(before).filter((result) => !shortest.includes(result));
  results.splice(
    before,
    results.length,
    ...shortest.filter((one) => isWorthKeeping(world, one)),
    ...others,
  );
  return replay;
}

/** Right responses to negative requests tell nothing more, and there are very many. */
function isWorthKeeping({ history }: World, result: CaseResult): boolean {
  const { creation, followUps = [], exchange, holds, concurrent } = result;
  if (creation !== undefined && history.creations[creation]?.response !== 'rejected') return true;
  return (
    followUps.length > 0 || isSuccess(exchange) || holds !== undefined || concurrent !== undefined
  );
}

async function runOnConnection(
  world: World,
  { isOnOne, commands }: Sequence,
  { mayCreate, created }: SequenceOptions,
): Promise<void> {
  const run = (connection: Connection | undefined) =>
    fc.asyncModelRun(
      () => ({
        model: { ledger: world.ledger, rejected: undefined },
        real: { world, connection, mayCreate, created },
      }),
      commands,
    );
  if (isOnOne) await world.client.onOneConnection(run);
  else await run(undefined);
}
