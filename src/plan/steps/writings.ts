import type { Connection, Request } from '../../http/exchange.ts';
import { known, Missing } from '../evidence.ts';
import { isReadable, type Look } from '../look.ts';
import { readUser } from '../read.ts';
import { isFine, members, type Read } from '../record.ts';
import type { Run } from '../run.ts';
import { mayLag } from '../seek.ts';
import type { CaseStep } from '../step.ts';
import { firstKnown, firstLook, firstUsers } from './first.ts';

/** A request for the first user, written in a way that means the same; without `write` it is the usual one. */
export interface WritingCase {
  what: string;
  write?: (request: Request) => Request;
}

/** A valid request in company, and what it took to tell whose fault it is that it failed. */
export interface Trial {
  what: string;
  /** What retrieved the user first, as usual. */
  before: Read;
  read: Read;
  /** Where it failed: the usual request, alone. */
  control?: Read;
  /** Where that one did not: the same request again, alone. */
  again?: Read;
}

/** Retrievals after requests that must be refused, and after those that no user can be made of. */
export const retrievalsAfterRefusals = retrievals('retrievals after refused requests');
export const retrievalsAfterMalformed = retrievals('retrievals after malformed requests');

/** Retrievals on connections of their own, before and after a wrong key on each. */
export const retrievalsBeforeUsed = { ...retrievals('retrievals before a wrong key'), follows: false };
export const retrievalsAfterUsed = { ...retrievals('retrievals after a wrong key'), follows: false };

function retrievals(name: string): CaseStep<WritingCase, Trial> {
  return {
    name,
    needs: [firstUsers],
    valid: true,
    follows: true,
    each: async (run, one, connection) => {
      const read = await readWritten(run, one, connection);
      return { what: one.what, before: firstKnown(run).read, read };
    },
    alone: async (run, one, trial) => {
      if (isAsBefore(trial, trial.read)) return trial;
      // On new connections: those that were kept may still be upset.
      // The last bad request may have nobody directly after it but the first of these.
      const usual = () => readWritten(run, { what: 'as usual' }, 'new');
      const first = await usual();
      const control = isAsBefore(trial, first) ? first : await usual();
      if (!isAsBefore(trial, control)) return { ...trial, control };
      return { ...trial, control, again: await readWritten(run, one, 'new') };
    },
  };
}

/** Whether a read of a trial shows the user, and with the email and name that the first read showed. */
export function isAsBefore({ before }: Trial, read: Read): boolean {
  const [old, now] = [members(before.record ?? {}), members(read.record ?? {})];
  return isFine(read) && now.email === old.email && now.name === old.name;
}

/** Sends a retrieval of the first user once; again only where the user is so fresh that the read may lag. */
async function readWritten(
  run: Run,
  { write = (request) => request }: WritingCase,
  connection?: Connection,
): Promise<Read> {
  const { creation, identifier } = firstKnown(run);
  const request = write({ ...run.retrieval(identifier.segment), ...(connection && { connection }) });
  const since = creation.exchange ? creation.exchange.at + creation.exchange.duration : 0;
  const look = async () => readUser(await run.send(request), creation, run.ledger);
  return run.until(look, (read) => isFine(read) || !mayLag(run, read), since);
}

/** A list that is asked for in another way, and as usual where that failed. */
export interface ListTrial {
  what: string;
  /** The least that the total may be: of the first list, and of users who were retrieved since. */
  least: number;
  look: Look;
  control?: Look;
  again?: Look;
}

/** Lists in other writings of the request. */
export const listWritten: CaseStep<WritingCase, ListTrial> = {
  name: 'the list in other writings',
  needs: [firstLook],
  valid: true,
  each: async (run, { what, write }) => {
    const first = known(run.of(firstLook));
    if (!first.ok) throw new Missing('the list is not answered as usual either', [first.exchange]);
    const least = isReadable(first) ? first.total + run.ledger.proven.length : 0;
    return { what, least, look: await lookWritten(run, least, write) };
  },
  alone: async (run, { write }, trial) => {
    const { least, look } = trial;
    if (isComplete(trial, look)) return trial;
    const control = await lookWritten(run, least);
    if (!isComplete(trial, control)) return { ...trial, control };
    return { ...trial, control, again: await lookWritten(run, least, write) };
  },
};

/** Asks for the list, again as long as users may only lag in it. */
function lookWritten(run: Run, least: number, write?: WritingCase['write']): Promise<Look> {
  const look = async () => {
    if (write === undefined) return run.look();
    return Object.assign(await run.look({}, write(run.listing())), { written: true as const });
  };
  return run.until(look, (one) => !isReadable(one) || one.total >= least);
}

/** Whether a list can be read, has nothing but users in it and counts as many as there are at least. */
export function isComplete({ least }: ListTrial, look: Look): boolean {
  return isReadable(look) && look.faults.users === undefined && look.total >= least;
}
