import { createHash, type Hash } from 'node:crypto';
import type { SchemaFault } from '../../schemas/fault.ts';
import { userListFault } from '../../schemas/user-list.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { isNumber, isObject, show, textOf } from '../http/value.ts';
import { memberOf } from './identifier.ts';
import type { Creation, Ledger } from './ledger.ts';
import { type ItemReader, ListParser } from './list-parser.ts';
import { bounded, isRecord, members } from './record.ts';
import { Sample } from './sample.ts';

/** What came where a list is not as it must be: `total is "0", a string`, or `data[0] has no name`. */
export function listFaultText(json: unknown, { pointer, missing }: SchemaFault): string {
  const steps = pointer.split('/').slice(1);
  const value = steps.reduce<unknown>((outer, step) => (outer as Record<string, unknown>)[step], json);
  const name = steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
  if (missing !== undefined) return `${name || 'the body'} has no ${missing}`;
  return `${name || 'the body'} is ${show(value)}${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return ', a string';
  if (isNumber(value)) return ', a number';
  if (Array.isArray(value)) return ', an array';
  return isObject(value) ? ', an object' : '';
}

/** What one answer of `GET /users` says, read against the ledger. The list itself is not kept: it may be very long. */
export interface Look {
  exchange: Exchange;
  ok: boolean;
  /** By part of the schema: why the answer is not valid in it; absent when it is. */
  faults: { data?: string; total?: string; users?: string };
  /** How many items `data` has, and what `total` says; NaN where they are not what the schema asks for. */
  shown: number;
  total: number;
  /** The items of each user of the run that is in it. */
  ours: Map<Creation, readonly Record<string, unknown>[]>;
  /** Items that are somebody else's: how many, and some of them. */
  others: number;
  sample: Record<string, unknown>[];
  /** Identifiers that several of the others have, where that was looked for. */
  repeated: string[];
  /** The member in which the items of our users show their identifiers; undefined where they don't. */
  identifierMember?: string;
  /** Of the others: items that were asked for. */
  watched: Record<string, unknown>[];
  /** The same only for the same users in the same order; empty where it was not asked for. */
  digest: string;
  /** Whether the request was written in another way than usual. */
  written?: true;
  /** Where the key was refused: another way of sending it, or none, with which the list was returned. */
  opened?: { how: string; exchange: Exchange } | undefined;
}

/** What a reader of a list is to look for. */
export interface LookOptions {
  /** Which items of others to keep. */
  watch?: ((item: Record<string, unknown>) => boolean) | undefined;
  /** The member in which several others may show the same identifier. */
  identifierMember?: string | undefined;
  /** How many others are looked at more closely; absent: a few. */
  most?: number | undefined;
  /** Whether the list is to be compared with others as a whole. */
  digest?: true;
}

/** Items of one user that are kept. */
const ITEMS = 10;

/** Reads the items of a list against the ledger as they come, so that a long list is never there as a whole. */
export class ListReader implements ItemReader {
  readonly #ledger: Ledger;
  readonly #sought: LookOptions;
  #shown = 0;
  #others = 0;
  #fault: string | undefined;
  #ours!: Look['ours'];
  #watched!: Look['watched'];
  #sample!: Sample;
  #digest!: Hash;
  /** What gives it the items of an answer. */
  readonly parser = () => new ListParser(this);

  constructor(ledger: Ledger, sought: LookOptions = {}) {
    this.#ledger = ledger;
    this.#sought = sought;
    this.start();
  }

  start(): void {
    [this.#shown, this.#others, this.#fault, this.#watched] = [0, 0, undefined, []];
    this.#ours = new Map();
    this.#sample = new Sample(this.#sought.identifierMember, this.#sought.most);
    this.#digest = createHash('sha1');
  }

  items(items: unknown[]): void {
    const judged: unknown[] = [];
    const places: number[] = [];
    for (const item of items) {
      const owner = isObject(item) ? this.#ledger.ownerOf(item) : undefined;
      // What a creation that should not have been carried out has left behind is the matter of that creation alone.
      // What was sent without a string there is judged where it was sent.
      if (owner === undefined || isWhole(owner)) {
        judged.push(item);
        places.push(this.#shown);
      }
      if (owner !== undefined) this.#addOurs(owner, item as Record<string, unknown>);
      else this.#addOther(item);
      this.#shown += 1;
    }
    if (this.#sought.digest) this.#digest.update(`${items.flatMap(textsOf).join('\n')}\n`);
    this.#fault ??= faultIn(judged, places);
  }

  /** What the list says, when the answer is complete. */
  look({ exchange, ok, json }: Answer): Look {
    const [data, total] = [faultOf(json, 'data'), faultOf(json, 'total')];
    // What is no list has no users.
    if (data !== undefined) this.start();
    const faults = { data, total, users: this.#fault };
    const member = identifierMember(this.#ours);
    return {
      exchange,
      ok,
      faults: Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined)),
      shown: data === undefined ? this.#shown : Number.NaN,
      total: total === undefined ? (json as { total: number }).total : Number.NaN,
      ours: this.#ours,
      others: this.#others,
      sample: this.#sample.chosen(),
      repeated: this.#sample.repeated,
      ...(member !== undefined && { identifierMember: member }),
      watched: this.#watched,
      digest: data === undefined && this.#sought.digest ? this.#digest.digest('hex') : '',
    };
  }

  #addOurs(owner: Creation, item: Record<string, unknown>): void {
    const items = this.#ours.get(owner);
    if (items === undefined) this.#ours.set(owner, this.#ledger.listed(owner, item));
    else if (items.length < ITEMS) this.#ours.set(owner, [...items, bounded(item)]);
  }

  #addOther(item: unknown): void {
    this.#others += 1;
    if (!isRecord(item)) return;
    this.#sample.add(item);
    if (this.#sought.watch?.(item) && this.#watched.length < ITEMS) this.#watched.push(bounded(item));
  }
}

const isWhole = ({ fate, traces }: Creation) =>
  fate !== 'must-not' && traces.email !== undefined && traces.name !== undefined;

/** What of an item tells one list from another. */
function textsOf(item: unknown): string[] {
  const { email, name } = isObject(item) ? members(item) : { email: item, name: undefined };
  return [textOf(email) ?? '', textOf(name) ?? ''];
}

/** The first of some items that is no user, with its place in the list. */
function faultIn(judged: unknown[], places: number[]): string | undefined {
  const fault = userListFault({ data: judged }, 'users');
  if (fault === undefined) return undefined;
  const told = listFaultText({ data: judged }, fault);
  return told.replace(/^data\[(\d+)\]/, (_, index) => `data[${places[Number(index)]}]`);
}

function faultOf(json: unknown, part: 'data' | 'total'): string | undefined {
  const fault = userListFault(json, part);
  return fault && listFaultText(json, fault);
}

/** The member by which a list shows the identifier of every user of ours that it shows. */
function identifierMember(ours: Look['ours']): string | undefined {
  return memberOf(
    [...ours].flatMap(([{ identifier }, [record = {}]]) => (identifier ? [{ record, text: identifier.text }] : [])),
  );
}

/** Whether a list can be read for its users and its total. */
export function isReadable({ ok, faults }: Look): boolean {
  return ok && faults.data === undefined && faults.total === undefined;
}

/** Whether a list shows fewer users than it counts: the service pages, which is free. */
export function isPaged({ shown, total }: Look): boolean {
  return shown < total;
}

/** Whether what a list shows and what it counts contradict each other, as in an answer that lags in one of both. */
export function isContradictory({ shown, total }: Look): boolean {
  return shown > total || (shown === 0 && total > 0);
}
