import type { AsyncCommand } from 'fast-check';
import type { CaseResult, FollowUp } from '../history/history.ts';
import type { Ledger } from '../history/ledger.ts';
import {
  isContradictory,
  isDue,
  isPaginated,
  isReadable,
  itemsOf,
  type List,
} from '../history/list.ts';
import { type Read, showsUser } from '../history/record.ts';
import { type Connection, isLost, isSuccess, type Request } from '../http/exchange.ts';
import { type Case, inTurn, isValidCase } from '../requirement/case.ts';
import { isFailing } from '../requirement/judge.ts';
import { createUser } from '../run/create-user.ts';
import { findUser } from '../run/find-user.ts';
import { type PlannedCase, sendAndRecord } from '../run/runner.ts';
import type { World } from '../run/world.ts';
import { fetchSettledList, isAsBefore, settle } from './reads.ts';

/**
 * The state that responses of a sequence must agree with: the users created so far, and the request
 * that was rejected just before.
 */
export interface Model {
  ledger: Ledger;
  /** The last request, if it was rejected. */
  rejected: CaseResult | undefined;
}

/** The service during a sequence. */
export interface Real {
  world: World;
  /** The connection of all requests of the sequence. Undefined: the usual ones. */
  connection: Connection | undefined;
  /** Whether another user may be created. */
  mayCreate: () => boolean;
  /** The slugs of the requirements on a creation: the user exists. */
  created: readonly string[];
}

export type Command = AsyncCommand<Model, Real>;

/** A response in a sequence is wrong. The requirements judge it by the history. */
export class WrongResponse extends Error {}

/** Fetches the list, which must show every user of the model. */
export class ListUsers implements Command {
  check = () => true;

  async run(model: Model, { world, connection }: Real): Promise<void> {
    const request = onConnection(world.listing(), connection);
    const list = await fetchSettledList(world, request);
    const canRead = isReadable(list);
    // The requirement on the request before judges this list.
    if (!canRead && model.rejected) list.isAfterNegative = true;
    const isRight = canRead && (!list.isSettled || showsModel(list, model));
    conclude(model, isRight, { operation: 'GET /users', exchange: list.exchange, list });
  }

  toString = () => 'list';
}

/** Sets the connection of a request; undefined leaves the usual one. */
const onConnection = (request: Request, connection: Connection | undefined): Request =>
  connection ? { ...request, connection } : request;

/** Whether a list shows each user of the model once. A page need not show all. */
function showsModel(list: List, { ledger }: Model): boolean {
  if (isContradictory(list)) return false;
  if (isPaginated(list)) return list.size > 0;
  return ledger.creations.every((creation) => {
    return !isDue(list, creation) || itemsOf(list, creation).length === 1;
  });
}

/**
 * Records a valid request that directly follows a rejected one. Throws WrongResponse if its
 * response is wrong.
 */
function conclude(model: Model, isRight: boolean, followUp: FollowUp): void {
  const { rejected } = model;
  model.rejected = undefined;
  if (rejected) rejected.followUps = [...(rejected.followUps ?? []), followUp];
  if (!isRight && !isLost(followUp.exchange)) throw new WrongResponse(followUp.operation);
}

/** Creates a user, and retrieves the user, who must be as sent. */
export class CreateUser implements Command {
  check = () => true;

  async run(model: Model, { world, connection, mayCreate, created }: Real): Promise<void> {
    if (!mayCreate()) return;
    const { rejected } = model;
    const request = (usual: Request): Request => onConnection(usual, connection);
    const creation = await createUser(world, { request });
    const { exchange, response, user } = creation;
    if (exchange === undefined || response === 'unknown') return;
    if (rejected) creation.isAfterNegative = true;
    const read = response === 'accepted' ? await findUser(world, creation) : undefined;
    const isRight = response === 'accepted' && showsUser(read?.record, user);
    const followUp: FollowUp = { operation: 'POST /users', exchange, creation };
    if (read && !isRight) {
      const result = { ...followUp, slugs: [...created], name: 'a plain user', read };
      world.history.results.push(result);
    }
    conclude(model, isRight, followUp);
  }

  toString = () => 'create';
}

/** Retrieves a user of the model, who must be as before. */
export class RetrieveUser implements Command {
  readonly #position: number;

  /** Takes the position of the user among all users: 0 is the first, and 1 is behind the last. */
  constructor(position: number) {
    this.#position = position;
  }

  check = ({ ledger }: Readonly<Model>) => ledger.identified.length > 0;

  async run(model: Model, { world, connection }: Real): Promise<void> {
    const { identified } = model.ledger;
    const creation = identified[Math.floor(this.#position * identified.length)];
    if (creation?.identifier === undefined) return;
    const usual = world.retrieval(creation.identifier.segment);
    const isStale = ({ exchange }: Read) => exchange.response?.status === 404;
    const read = await world.retrieve(creation, onConnection(usual, connection), isStale);
    const { exchange } = read;
    const isRight = isAsBefore(creation, read);
    if (!isRight && !model.rejected)
      world.history.rereads.push({ user: creation, read, why: 'unread' });
    conclude(model, isRight, { operation: 'GET /users/:id', exchange, read, user: creation });
  }

  toString = () => `retrieve ${this.#position}`;
}

/** Sends a case once or several times, after which the next valid request must succeed. */
export class SendCase implements Command {
  readonly #planned: PlannedCase;
  readonly #times: number;

  constructor(planned: PlannedCase, times = 1) {
    this.#planned = planned;
    this.#times = times;
  }

  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    const testCase = this.#planned.case;
    if (isValidCase(testCase)) await this.#sendValid(model, real);
    else await this.#sendNegative(model, real);
  }

  async #sendValid(model: Model, { world, connection, mayCreate }: Real): Promise<void> {
    const testCase = this.#planned.case;
    if (testCase.operation === 'POST /users' && !mayCreate()) return;
    // The total of the list is compared with that of the list before.
    if (testCase.operation === 'GET /users') await settle(world);
    const planned = { ...this.#planned, case: caseOn(testCase, connection) };
    model.rejected = undefined;
    for (let times = 0; times < this.#times; times += 1) {
      const result = await sendAndRecord(world, planned);
      if (result === undefined) return;
      if (hasFailed(world, planned, result)) throw new WrongResponse(testCase.name);
      const mayBeRejected = testCase.expected === 'either';
      if (mayBeRejected && !isSuccess(result.exchange)) model.rejected = result;
    }
  }

  async #sendNegative(model: Model, { world, connection }: Real): Promise<void> {
    model.rejected = undefined;
    for (let times = 0; times < this.#times; times += 1) {
      const result = await sendAndRecord(world, this.#planned, { connection });
      if (result === undefined) return;
      if (!isSuccess(result.exchange)) model.rejected = result;
    }
  }

  toString() {
    const { name, operation } = this.#planned.case;
    const times = this.#times > 1 ? `, ${this.#times} times` : '';
    return `${operation} with ${name}${times}`;
  }
}

/** Returns the case with its requests on a connection. */
function caseOn(testCase: Case, connection: Connection | undefined): Case {
  if (connection === undefined) return testCase;
  const setConnection = (usual: Request): Request => ({ ...usual, connection });
  return { ...testCase, change: inTurn(testCase.change, setConnection) };
}

const hasFailed = ({ history }: World, planned: PlannedCase, result: CaseResult): boolean =>
  planned.requirements.some((requirement) => {
    return isFailing(requirement, result, history);
  });
