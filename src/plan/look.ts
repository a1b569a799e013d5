import { schemaError } from '../../schemas/validate.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { isObject, textOf } from '../http/value.ts';
import { membersShowing } from './identifier.ts';
import type { Creation, Ledger } from './ledger.ts';
import { isRecord, members } from './record.ts';

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
  ours: Map<Creation, Record<string, unknown>[]>;
  /** Items that are somebody else's: how many, and some of them. */
  others: number;
  sample: Record<string, unknown>[];
  /** The member in which the items of our users show their identifiers; undefined where they don't. */
  identifierMember?: string;
  /** Of the others: items that were asked for. */
  watched: Record<string, unknown>[];
  /** A number that is the same only for the same users in the same order. */
  digest: number;
}

/** How many others are looked at more closely. */
const SAMPLE = 5;

/** Reads a list answer; `watch` says which items of others to keep. */
export function lookAt(
  { exchange, ok, json }: Answer,
  ledger: Ledger,
  watch: (item: Record<string, unknown>) => boolean = () => false,
): Look {
  const fault = (part: keyof Look['faults'], value = json) => {
    const error = schemaError(`user-list.schema.json#/$defs/${part}`, value, 'body');
    return error === undefined ? {} : { [part]: error };
  };
  const faults: Look['faults'] = { ...fault('data'), ...fault('total') };
  const { data, total } = (isObject(json) ? json : {}) as { data: unknown[]; total: number };
  const shown = faults.data === undefined ? data.length : Number.NaN;
  const counted = faults.total === undefined ? total : Number.NaN;
  const ours: Look['ours'] = new Map();
  const look: Look = {
    exchange,
    ok,
    faults,
    shown,
    total: counted,
    ours,
    others: 0,
    sample: [],
    watched: [],
    digest: 0,
  };
  if (faults.data !== undefined) return look;
  const judged: unknown[] = [];
  const others: Record<string, unknown>[] = [];
  for (const item of data) {
    const owner = isObject(item) ? ledger.ownerOf(item) : undefined;
    // What a creation that should not have been carried out has left behind is the matter of that creation alone.
    if (owner === undefined || owner.fate === 'must') judged.push(item);
    if (owner !== undefined) ours.set(owner, [...(ours.get(owner) ?? []), item as Record<string, unknown>]);
    else if (isRecord(item)) others.push(item);
    look.digest = mixed(look.digest, item);
  }
  const member = identifierMember(ours);
  return {
    ...look,
    faults: { ...faults, ...fault('users', { data: judged }) },
    others: data.length - [...ours.values()].flat().length,
    sample: sampleOf(others, member),
    ...(member !== undefined && { identifierMember: member }),
    watched: others.filter(watch),
  };
}

/** The member by which a list shows the identifier of every user of ours that it shows. */
function identifierMember(ours: Look['ours']): string | undefined {
  const shown = [...ours].filter(([{ identifier }]) => identifier !== undefined);
  const names = shown.map(([{ identifier }, [item]]) => (item ? membersShowing(item, identifier?.text ?? '') : []));
  return names[0]?.find((name) => names.every((other) => other.includes(name)));
}

/** The first and the last, some in between at random, and two of one identifier where there are such. */
function sampleOf(items: Record<string, unknown>[], member: string | undefined): Record<string, unknown>[] {
  const chosen = new Set([0, items.length - 1]);
  while (chosen.size < Math.min(SAMPLE, items.length)) chosen.add(Math.floor(Math.random() * items.length));
  const seen = new Map<string, number>();
  for (const [index, item] of member === undefined ? [] : items.entries()) {
    const text = textOf(item[member as string]);
    const before = seen.get(text ?? '');
    if (before !== undefined && text) {
      chosen.add(before).add(index);
      break;
    }
    seen.set(text ?? '', index);
  }
  return [...chosen].filter((index) => index in items).map((index) => items[index] as Record<string, unknown>);
}

function mixed(digest: number, item: unknown): number {
  const { email, name } = isObject(item) ? members(item) : { email: item, name: undefined };
  let sum = digest;
  for (const character of `${textOf(email) ?? ''}\n${textOf(name) ?? ''}`) {
    sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0;
  }
  return sum;
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
