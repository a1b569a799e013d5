import { isLost } from '../../http/exchange.ts';
import type { Context } from '../context.ts';
import { after, cases, Missing, type OrMissing, orMissing, type Yields } from '../evidence.ts';
import { maybe, settled, type Tried, triedStep } from '../step.ts';
import { attempt, type CredentialCase, controls, type Sent, type Shown, withControls } from './credentials.ts';
import { firstLook, firstUsers } from './first.ts';

/** A request without the Authorization header that tries many other ways in at once. */
export interface SeveralCase extends CredentialCase {
  /** The most usual of them, each by itself: tried alone where the whole is not rejected for want of credentials. */
  parts: CredentialCase[];
  /** The others: tried alone where the whole is let in, and none of the parts. */
  rare: () => CredentialCase[];
}

/** The whole at once, or with a long key its parts. Where that is not rejected, its parts, one after the other. */
export const severalPlaces = triedStep({
  name: 'many ways in at once',
  needs: { look: firstLook, users: maybe(firstUsers) },
  bad: true,
  early: ({ operation }: SeveralCase) => Number(operation === 'POST /users'),
  each: async (run, { parts, rare, ...whole }: SeveralCase, given) => {
    // Servers limit the length of a header block.
    const isLong = run.client.secrets.wrongKey.length > 64;
    return eachAlone(run, isLong ? parts : [whole], given);
  },
  isRight: (found) => found.every(isRejected),
  same: async (run, { parts, rare }, given, first) => {
    const alone = await eachAlone(run, parts, given);
    const isFound = !first.some(isOpen) || alone.some(isOpen);
    return isFound ? alone : [...alone, ...(await eachAlone(run, rare(), given))];
  },
});

/** Tries one after the other. */
async function eachAlone(run: Context, all: CredentialCase[], given: Shown): Promise<OrMissing<Sent>[]> {
  const found: OrMissing<Sent>[] = [];
  for (const one of all) found.push(await orMissing(() => attempt(run, one, given)));
  return found;
}

const isOpen = (one: OrMissing<Sent>) => !(one instanceof Missing) && (one.ok || one.shows !== undefined);

/**
 * Whether it is rejected for its credentials: another status may be for something else, such as a query that nobody
 * knows. Some servers close the connection where there are too many headers: no answer to the whole says nothing of its
 * parts.
 */
const isRejected = (one: OrMissing<Sent>) =>
  one instanceof Missing ? !one.exchanges.some(isLost) : [401, 403].includes(one.status) && !isOpen(one);

/** What came of the ways of some kinds: of the whole, or of each that was tried alone. */
export function waysIn(all: SeveralCase[], ...kinds: string[]) {
  const chosen = all.filter(({ parts }) => parts.some(({ kind = '' }) => kinds.includes(kind)));
  const from = (yields: Yields) =>
    chosen.flatMap((one) => {
      const found = yields.of(severalPlaces, one);
      const each = found instanceof Missing ? [found] : ofKinds(found, kinds);
      return each.map((tried) => withControls(yields, one, tried));
    });
  const needed = cases(controls, ...chosen.flatMap(({ unless }) => unless));
  return after({ ...cases(severalPlaces, ...chosen), from }, needed);
}

/** Where the whole is let in and nothing alone, nobody knows which of them does it. */
function ofKinds(tried: Tried<OrMissing<Sent>[]>, kinds: string[]): OrMissing<Sent>[] {
  const last = settled(tried);
  const all = tried.first.some(isOpen) && !last.some(isOpen) ? tried.first : last;
  return all.filter((one) => one instanceof Missing || one.one.kind === undefined || kinds.includes(one.one.kind));
}
