import type { Connection, Request } from '../../http/exchange.ts';
import { known, Missing } from '../evidence.ts';
import { isReadable, type Look } from '../look.ts';
import { readUser } from '../read.ts';
import { isFine, type Read } from '../record.ts';
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
  read: Read;
  /** Where it failed: the usual request, alone. */
  control?: Read;
  /** Where that one did not: the same request again, alone. */
  again?: Read;
}

/** Retrievals after requests that must be refused, and after those that no user can be made of. */
export const retrievalsAfterRefusals = retrievals('retrievals after refused requests');
export const retrievalsAfterMalformed = retrievals('retrievals after malformed requests');

function retrievals(name: string): CaseStep<WritingCase, Trial> {
  return {
    name,
    needs: [firstUsers],
    valid: true,
    each: async (run, one, connection) => ({ what: one.what, read: await readWritten(run, one, connection) }),
    alone: async (run, one, trial) => {
      if (isFine(trial.read)) return trial;
      // On new connections: those that were kept may still be upset.
      const control = await readWritten(run, { what: 'as usual' }, 'new');
      if (!isFine(control)) return { ...trial, control };
      return { ...trial, control, again: await readWritten(run, one, 'new') };
    },
  };
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
  look: Look;
  control?: Look;
  again?: Look;
}

/** Lists in other writings of the request. */
export const listWritten: CaseStep<WritingCase, ListTrial> = {
  name: 'the list in other writings',
  needs: [firstLook],
  valid: true,
  each: async (run, { what, write = (request) => request }) => {
    const first = known(run.of(firstLook));
    if (!first.ok) throw new Missing('the list is not answered as usual either', [first.exchange]);
    return { what, look: await run.look({}, write(run.listing())) };
  },
  alone: async (run, { write = (request) => request }, trial) => {
    if (isReadable(trial.look)) return trial;
    const control = await run.look();
    if (!isReadable(control)) return { ...trial, control };
    return { ...trial, control, again: await run.look({}, write(run.listing())) };
  },
};
