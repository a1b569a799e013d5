import type { Check } from '../src/check.ts';
import type { Exchange } from '../src/exchange.ts';
import { COUNTING_TRIES, SAME_TRIES } from '../src/limits.ts';
import type { ListView } from '../src/user-list.ts';

/** How `total` moved over something that was done several times. */
type Movement =
  | { kind: 'as expected' }
  | { kind: 'always off'; by: number; exchanges: Exchange[] }
  | { kind: 'others write' };

/**
 * Does something that should make `total` grow by `expected` and compares the list before and after, again and again
 * until it is right: others may write at any time, and a read may lag. It is wrong when it is off by the same number
 * every time, with the total at rest in between. Throws NotVerified when the total falls (somebody deletes).
 */
export async function movement(check: Check, expected: number, action: () => Promise<unknown>): Promise<Movement> {
  const offs: { by: number; atRest: boolean; exchanges: Exchange[] }[] = [];
  for (let attempt = 0; attempt < COUNTING_TRIES; attempt += 1) {
    const before = await countable(check);
    await action();
    // Only a total that is still too small may lag; one that reads change would only change the more.
    const after = await check.settled(
      () => countable(check),
      ({ total }) => expected === 0 || total >= before.total + expected,
    );
    const by = after.total - before.total - expected;
    if (by === 0) return { kind: 'as expected' };
    if (after.total < before.total) check.notVerified('the total falls: somebody else deletes users');
    const again = await countable(check);
    const exchanges = [before.exchange, after.exchange];
    offs.push({ by, atRest: again.total === after.total, exchanges });
    const always = offs.every((off) => off.by === by && (off.atRest || expected === 0));
    if (always && offs.length === SAME_TRIES) return { kind: 'always off', by, exchanges };
  }
  return { kind: 'others write' };
}

/** A list whose total can be counted with. */
async function countable(check: Check): Promise<ListView> {
  const list = check.usersOf(await check.list());
  if (!Number.isSafeInteger(list.total)) check.notVerified(`a total of ${list.total} is too large to count with`);
  return list;
}
