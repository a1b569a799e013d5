import { type Exchange, header } from '../../http/exchange.ts';
import { KEY } from '../../http/key.ts';
import type { Context } from '../context.ts';
import { excluded, present } from '../evidence.ts';
import { isFine, readUser } from '../record.ts';
import { isKnown, type UserSearch } from '../seek.ts';
import { type Step, step } from '../step.ts';
import { firstUsers, whyUnknown } from './first.ts';

/** Where the answer of a creation says that the new user is. */
export interface Location {
  created: Exchange;
  status: number;
  /** The header's value; undefined without one. */
  location: string | undefined;
  /** Whether it is an http or https address at the target's own origin, without the key: only then it is followed. */
  isOwn: boolean;
  /** What is there: the user or not. */
  leadsToUser: boolean;
  followed?: Exchange;
}

/** The Locations of the first two users, followed where they don't say the path that retrieved the user already. */
export const locations: Step<Location[]> = step({
  name: 'locations',
  needs: { users: firstUsers },
  take: (run, { users: { first, second } }) => Promise.all(present([first, second]).map((user) => locate(run, user))),
});

async function locate(run: Context, sought: UserSearch): Promise<Location> {
  const { creation, read } = sought;
  const created = creation.exchange;
  if (created === undefined) throw excluded('read-only: nothing is created');
  if (!isKnown(sought)) throw whyUnknown(sought);
  const location = header(created, 'location');
  run.observe('Location of the create response', location === undefined ? 'absent' : 'present');
  const found = { created, status: created.response?.status ?? 0, location, isOwn: false, leadsToUser: false };
  const path = location === undefined ? undefined : pathAt(location, run, created.request.path);
  if (path === undefined) return found;
  if (path === read?.exchange.request.path) return { ...found, isOwn: true, leadsToUser: true };
  const at = readUser(await run.send({ ...run.retrieval(''), path }), creation, run.ledger);
  return { ...found, isOwn: true, followed: at.exchange, leadsToUser: isFine(at) };
}

/** The path of a Location at the target's own origin (RFC 9110, section 10.2.2); undefined for any other. */
function pathAt(location: string, { client: { origin, secrets } }: Context, createdAt: string): string | undefined {
  const base = `${origin}${createdAt}`;
  if (secrets.holds(location) || location.includes(KEY) || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  return /^https?:$/.test(url.protocol) && url.origin === origin ? `${url.pathname}${url.search}` : undefined;
}
