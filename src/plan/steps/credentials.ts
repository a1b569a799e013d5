import { type Connection, type Exchange, isAnswered, type Lane, type Request } from '../../http/exchange.ts';
import { textOf } from '../../http/value.ts';
import { CREATION_TRIES } from '../../settings/limits.ts';
import { type Evidence, type Found, known, Missing } from '../evidence.ts';
import { members } from '../record.ts';
import type { Run } from '../run.ts';
import type { CaseStep } from '../step.ts';
import { firstKnown, firstLook, firstUsers } from './first.ts';
import { retrievalsBeforeUsed, type WritingCase } from './writings.ts';

export type Operation = 'GET /users' | 'POST /users' | 'GET /users/:id';

/** An operation with other credentials than the documented ones: it differs in nothing else from one that is proven good. */
export interface CredentialCase {
  what: string;
  operation: Operation;
  /** Sent in the place of the documented Authorization header. WRONG_KEY becomes one, PATH the operation's own path. */
  headers: Record<string, string>;
  /** A query, with its question mark. */
  query?: string;
  /** Members put into the body beside email and name, or a body in their place. */
  members?: Record<string, string>;
  body?: string;
  /** Another spelling of the path, of the part below the base address. */
  spelling?: (path: string) => string;
  /** A connection of its own for it, with valid requests before and after. */
  used?: { connection: Lane; before: WritingCase; after: WritingCase };
  /** Whether it goes out with malformed requests, after most others: one line of the plan has no room for all. */
  later?: true;
  /** Whether it goes out among creations and reads with the right key, not among other attempts. */
  amongOthers?: true;
  /** Cases that must be refused, or else this one tells nothing: an open door needs no key of any kind. */
  unless: CredentialCase[];
}

/** Stand in the headers of a case for a key that is wrong, and for the path of the operation. */
export const WRONG_KEY = '<a wrong key>';
export const PATH = '<path>';

/** What came of a case. */
export interface Attempt {
  one: CredentialCase;
  exchange: Exchange;
  status: number;
  ok: boolean;
  /** Of a user whom the suite knows: an email or name that the answer shows, and that was not sent with the request. */
  shows?: string;
  /** What came of the cases that it depends on, once these are over as well. */
  before: Attempt[];
}

/** How often a case is tried where no answer says what became of it. */
const TRIES = 3;

/** Sends one case. Throws Missing where it can't be made, or where it would tell nothing. */
async function attempt(run: Run, one: CredentialCase, connection: Connection = 'kept', tries = 1): Promise<Attempt> {
  mustTellSomething(run, one);
  // As most clients have it: a kept connection has carried the right key before.
  const request = { ...requestOf(run, one), connection };
  const { exchange, status, ok, text } =
    one.operation === 'POST /users' ? await forbiddenCreation(run, one, request) : await run.send(request, 'text');
  // What got no answer, or a 503, may have been carried out, so it is tried with another user.
  const told = isAnswered(exchange) && status !== 503;
  const most = status === 503 ? CREATION_TRIES : TRIES;
  if (!told && exchange.attempts > 0 && tries < most) return attempt(run, one, 'new', tries + 1);
  if (!told) throw new Missing(exchange.failure ?? `${status}, which says nothing of the request`, [exchange]);
  const sent = `${decoded(request.path)} ${request.body ?? ''}`;
  const shows = run.ledger.shownIn(text, sent) ?? (ok ? listedIn(run, text) : undefined);
  if (!ok && one.unless.length === 0) run.observe(`refusal of ${one.what}`, `${status}`);
  return { one, exchange, status, ok, before: [], ...(shows !== undefined && { shows }) };
}

/** The email of a listed user that a text shows, together with those of others: a page may well name one, as a contact. */
function listedIn(run: Run, text: string): string | undefined {
  const look = run.of(firstLook);
  const emails = look instanceof Missing ? [] : look.sample.map((item) => textOf(members(item).email) ?? '');
  const shown = emails.filter((email) => email !== '' && text.includes(email));
  return shown.length > 1 ? shown[0] : undefined;
}

function mustTellSomething(run: Run, { operation, headers }: CredentialCase): void {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (token !== undefined && !run.client.isWrong(token)) {
    throw new Missing('this key allows no such variation', [], { excluded: true });
  }
  if (operation === 'POST /users') run.mayCreate();
  if (operation === 'GET /users') {
    const look = known(run.of(firstLook));
    if (!look.ok) throw new Missing('the list is not answered with the right key either', [look.exchange]);
  } else firstKnown(run);
}

/** An attempt with what it depends on. Throws Missing where that was not refused. */
function withControls(run: Run, { unless }: CredentialCase, found: Attempt): Attempt {
  const before = unless.map((other) => {
    const control = known(run.ofCase(controls, other));
    if (control.ok) throw new Missing(`the request is carried out with ${other.what}`, [control.exchange]);
    return control;
  });
  return { ...found, before };
}

function requestOf(
  run: Run,
  { operation, headers, query = '', members: further, body, spelling }: CredentialCase,
): Request {
  const request =
    operation === 'GET /users'
      ? run.listing({})
      : operation === 'POST /users'
        ? run.creating(body ?? { ...run.factory.make(), ...further }, {})
        : run.retrieval(firstKnown(run).identifier.segment, {});
  const below = request.path.slice(run.client.basePath.length);
  const filled = Object.entries(headers).map(([name, value]) => {
    return [name, value.replace(WRONG_KEY, run.client.wrongKey).replace(PATH, request.path)] as const;
  });
  return {
    ...request,
    path: `${run.client.basePath}${spelling?.(below) ?? below}${query}`,
    headers: { ...request.headers, ...Object.fromEntries(filled) },
  };
}

/** A path as text: it may hold an email or a name that is the identifier, which the answer may repeat. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function forbiddenCreation(run: Run, { what, body }: CredentialCase, request: Request) {
  const user = body === undefined ? JSON.parse(request.body as string) : run.factory.make();
  const traces = body === undefined ? { email: user.email, name: user.name } : {};
  const [, answer] = await run.create({ what, fate: 'must-not', inCompany: true, user, traces }, request);
  return answer;
}

/** The cases that others depend on: no credentials, and a wrong key. */
export const controls: CaseStep<CredentialCase, Attempt> = {
  name: 'no credentials and a wrong key',
  needs: [firstUsers],
  valid: false,
  each: (run, one, connection) => attempt(run, one, connection),
};

/** All other cases. */
export const attempts: CaseStep<CredentialCase, Attempt> = {
  name: 'other credentials',
  needs: [firstUsers],
  beside: [controls],
  valid: false,
  each: (run, one, connection) => attempt(run, one, connection),
  completed: withControls,
};

/** Those whose body is malformed as well, and some others: they stand with malformed requests. */
export const malformedAttempts: CaseStep<CredentialCase, Attempt> = {
  name: 'further credentials',
  needs: [firstUsers],
  beside: [controls],
  valid: false,
  inCrowd: true,
  each: (run, one, connection) => attempt(run, one, connection),
  completed: withControls,
};

/** Those that go out among creations and reads. */
export const attemptsAmongOthers: CaseStep<CredentialCase, Attempt> = {
  name: 'other credentials among usual requests',
  needs: [firstUsers],
  beside: [controls],
  valid: false,
  inCrowd: true,
  each: (run, one, connection) => attempt(run, one, connection),
  completed: withControls,
};

/** Those that go out on a connection that has just carried the right key. */
export const attemptsOnUsed: CaseStep<CredentialCase, Attempt> = {
  name: 'other credentials after the right ones on one connection',
  needs: [firstUsers],
  beside: [controls],
  valid: false,
  inCrowd: true,
  each: (run, one) => attempt(run, one, one.used?.connection),
  completed: withControls,
};

/** What came of cases, with those that they depend on. */
export function attempted(...all: CredentialCase[]): Evidence<Found<Attempt>[]> {
  const stepOf = ({ unless, body, later, used, amongOthers }: CredentialCase) => {
    if (unless.length === 0) return controls;
    if (used) return attemptsOnUsed;
    if (amongOthers) return attemptsAmongOthers;
    return body === undefined && !later ? attempts : malformedAttempts;
  };
  const steps = [...new Set(all.map(stepOf))];
  const needed = [...all.flatMap(({ unless }) => unless), ...all];
  return {
    steps,
    cases: needed.flatMap((one) => [
      [stepOf(one), one] as never,
      ...(one.used ? [[retrievalsBeforeUsed, one.used.before] as never] : []),
    ]),
    whole: false,
    from: (yields) => all.map((one) => yields.ofCase(stepOf(one), one)),
  };
}
