import type { AsyncCommand } from 'fast-check';
import type { Creation } from '../history/creation.ts';
import type { CaseResult, FollowUp } from '../history/history.ts';
import type { Ledger } from '../history/ledger.ts';
import { isContradictory, isDue, isPaginated, isReadable, itemsOf } from '../history/list.ts';
import { showsUser } from '../history/record.ts';
import { type Connection, isLost, isSuccess } from '../http/exchange.ts';
import { type Case, inTurn, isValidCase } from '../requirement/case.ts';
import { isFailing } from '../requirement/judge.ts';
import { isCaseRequirement } from '../requirement/requirement.ts';
import { createUser } from '../run/create-user.ts';
import { findUser } from '../run/find-user.ts';
import { type PlannedCase, sendAndRecord } from '../run/runner.ts';
import type { World } from '../run/world.ts';
import { fetchSettledList, isAsBefore, settle } from './reads.ts';

/**
 * What a sequence must agree with: the users created so far, and the request that was rejected just
 * before.
 */
export interface Model {
  ledger: Ledger;
  /** The last request, if it was rejected. */
  rejected: CaseResult | undefined;
}

/** The service as a sequence sees it. */
export interface Real {
  world: World;
  /** The connection of all requests of the sequence; undefined: the usual ones. */
  connection: Connection | undefined;
  /** Whether another user may be created. */
  mayCreate: () => boolean;
  /** The requirements on a creation: the user exists. */
  created: readonly string[];
}

export type Command = AsyncCommand<Model, Real>;

/** A response in a sequence is wrong. The requirements judge it by the history. */
export class WrongResponse extends Error {}

const onConnection = (connection: Connection | undefined) => (connection ? { connection } : {});

/**
 * Records a valid request that directly follows a rejected one, and throws if its response is
 * wrong.
 */
function conclude(model: Model, isRight: boolean, followUp: FollowUp): void {
  const { rejected } = model;
  model.rejected = undefined;
  if (rejected) rejected.followUps = [...(rejected.followUps ?? []), followUp];
  if (!isRight && !isLost(followUp.exchange)) throw new WrongResponse(followUp.operation);
}

/** Fetches the list: it shows every user of the model. */
export class ListUsers implements Command {
  check = () => true;

  async run(model: Model, { world, connection }: Real): Promise<void> {
    const { creations } = model.ledger;
    const list = await fetchSettledList(world, { ...world.listing(), ...onConnection(connection) });
    const isOk = isReadable(list);
    // The requirement on the request before judges it.
    if (!isOk && model.rejected) list.isAfterNegative = true;
    const lacks = (creation: Creation, index: number) =>
      isDue(list, creation) && itemsOf(list, index).length !== 1;
    const isWhole = isPaginated(list) ? list.size > 0 : !creations.some(lacks);
    const isRight = isOk && (!list.isSettled || (isWhole && !isContradictory(list)));
    const index = world.lists.indexOf(list);
    conclude(model, isRight, { operation: 'GET /users', exchange: list.exchange, list: index });
  }

  toString = () => 'list';
}

/** Creates a user, who is retrieved as sent. */
export class CreateUser implements Command {
  check = () => true;

  async run(model: Model, { world, connection, mayCreate, created }: Real): Promise<void> {
    if (!mayCreate()) return;
    const { rejected } = model;
    const creation = await createUser(world, {
      request: (usual) => ({ ...usual, ...onConnection(connection) }),
    });
    const { exchange, response, user } = creation;
    if (exchange === undefined || response === 'unknown') return;
    if (rejected) creation.isAfterNegative = true;
    const read = response === 'accepted' ? await findUser(world, creation) : undefined;
    const isRight = response === 'accepted' && showsUser(read?.record, user);
    const index = model.ledger.creations.indexOf(creation);
    const followUp: FollowUp = { operation: 'POST /users', exchange, creation: index };
    if (read && !isRight) {
      const result = { ...followUp, slugs: [...created], name: 'a plain user', read };
      world.history.results.push(result);
    }
    conclude(model, isRight, followUp);
  }

  toString = () => 'create';
}

/** Retrieves a user of the model, who is as before. */
export class RetrieveUser implements Command {
  readonly #share: number;

  /** Takes the place of the user among all users, as a share of them. */
  constructor(share: number) {
    this.#share = share;
  }

  check = ({ ledger }: Readonly<Model>) => ledger.identified.length > 0;

  async run(model: Model, { world, connection }: Real): Promise<void> {
    const { identified, creations } = model.ledger;
    const creation = identified[Math.floor(this.#share * identified.length)];
    if (creation?.identifier === undefined) return;
    const request = {
      ...world.retrieval(creation.identifier.segment),
      ...onConnection(connection),
    };
    const read = await world.retrieve(creation, request, ({ exchange }) => {
      return exchange.response?.status === 404;
    });
    const of = creations.indexOf(creation);
    const isRight = isAsBefore(creation, read);
    if (!isRight && !model.rejected) world.history.rereads.push({ of, read, why: 'unread' });
    const { exchange } = read;
    conclude(model, isRight, { operation: 'GET /users/:id', exchange, read, of });
  }

  toString = () => `retrieve ${this.#share}`;
}

/** Sends a case, so many times: whatever comes of it, the next valid request gets what it must. */
export class SendCase implements Command {
  readonly #planned: PlannedCase;
  readonly #times: number;

  constructor(planned: PlannedCase, times = 1) {
    this.#planned = planned;
    this.#times = times;
  }

  check = () => true;

  async run(model: Model, { world, connection, mayCreate }: Real): Promise<void> {
    const one = this.#planned.case;
    const isValid = isValidCase(one);
    if (isValid && one.operation === 'POST /users' && !mayCreate()) return;
    const planned = isValid ? { ...this.#planned, case: onOwn(one, connection) } : this.#planned;
    const options = isValid || !connection ? {} : { connection };
    // Its total is compared with that of the list before.
    if (isValid && one.operation === 'GET /users') await settle(world);
    model.rejected = undefined;
    for (let times = 0; times < this.#times; times += 1) {
      const result = await sendAndRecord(world, planned, options);
      if (result === undefined) return;
      if (isValid && fails(world, planned, result)) throw new WrongResponse(one.name);
      const mayBeRejected = !isValid || one.expected === 'either';
      if (mayBeRejected && !isSuccess(result.exchange)) model.rejected = result;
    }
  }

  toString() {
    const { name, operation } = this.#planned.case;
    return `${operation} with ${name}${this.#times > 1 ? `, ${this.#times} times` : ''}`;
  }
}

/** The same case on a connection. */
function onOwn(one: Case, connection: Connection | undefined): Case {
  if (connection === undefined) return one;
  return { ...one, change: inTurn(one.change, (usual) => ({ ...usual, connection })) };
}

const fails = ({ history }: World, { requirements }: PlannedCase, result: CaseResult): boolean =>
  requirements.some((one) => isCaseRequirement(one) && isFailing(one, result, history));
