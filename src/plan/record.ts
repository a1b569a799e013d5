import type { NewUser } from './users.ts';

/** A JSON object that has a member `email`: a user's record, whatever else it holds. */
export type UserRecord = Record<string, unknown> & { email: unknown };

export interface FoundRecord {
  record: UserRecord;
  /** The way to it from the top of the body, such as `data.user`; empty for the top itself. */
  path: string;
  /** How many records the array that holds it has; 1 outside an array. */
  siblings: number;
}

/** Envelopes deeper than this hold no user's record. */
const DEPTH = 5;
/** Values looked at in one body: a retrieve answer has few, a list's may have very many. */
const VALUES = 20_000;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a user's record: an object with a member `email`. */
export function isRecord(value: unknown): value is UserRecord {
  return isObject(value) && Object.hasOwn(value, 'email');
}

/**
 * Finds the users' records in an answer's body: at the top, in an envelope or in an array. What is inside a record (a
 * manager, a creator) is not a further user.
 */
export function recordsIn(body: unknown): FoundRecord[] {
  const found: FoundRecord[] = [];
  const open: { value: unknown; path: string; depth: number; siblings: number }[] = [
    { value: body, path: '', depth: 0, siblings: 1 },
  ];
  for (let looked = 0; looked < open.length && looked < VALUES; looked += 1) {
    const { value, path, depth, siblings } = open[looked] as (typeof open)[number];
    if (isRecord(value)) {
      found.push({ record: value, path, siblings });
    } else if (depth < DEPTH && Array.isArray(value)) {
      const records = value.filter(isRecord).length;
      for (const item of value) open.push({ value: item, path: `${path}[]`, depth: depth + 1, siblings: records });
    } else if (depth < DEPTH && isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        open.push({ value: member, path: path === '' ? name : `${path}.${name}`, depth: depth + 1, siblings: 1 });
      }
    }
  }
  return found;
}

/**
 * Says whether a record is the user's: by the email that was sent, in whatever case and wherever it stands, or by the
 * name, which is the user's alone unless the email says otherwise (`others` are the emails of the run's other users).
 */
export function isRecordOf(record: UserRecord, user: NewUser, others: ReadonlySet<string>): boolean {
  const email = String(record.email).toLowerCase();
  if (email === user.email.toLowerCase() || record.name === user.email) return true;
  return record.name === user.name && !others.has(email);
}
