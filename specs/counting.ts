import type { Exchange } from '../src/http/exchange.ts';
import type { Check } from '../src/plan/check.ts';
import { plainUser } from '../src/plan/known-user.ts';
import type { ListView } from '../src/plan/user-list.ts';
import { COUNTING_TRIES, JITTER_MS, SAME_TRIES } from '../src/settings/limits.ts';

/** How `total` moved over something that was done several times. */
type Movement =
  | { kind: 'as expected' }
  | { kind: 'always off'; by: number; exchanges: Exchange[] }
  | { kind: 'others write' };

/** What is done between two looks at the list, and how it should and could move the total. */
interface Action {
  /** Creates so many users, or none, beside what is to have no effect. */
  run: (creations: number) => Promise<unknown>;
  creates: boolean;
  /** Whether a fault would show with each creation, or once with each try. */
  offWithEach: 'creation' | 'try';
}

/**
 * Does something again and again and compares the list before and after, until the total has moved by just what was
 * created: others may write at any time, and a read may lag. It is wrong when it is off by the same number every time,
 * with the total at rest in between; the number of creations and the time between tries vary, so that another run of
 * this suite at the same time is not taken for a fault. Throws NotVerified when the total falls (somebody deletes).
 */
export async function movement(check: Check, { run, creates, offWithEach }: Action): Promise<Movement> {
  const offs: { by: number; atRest: boolean }[] = [];
  const order = [1, 2, 3].sort(() => Math.random() - 0.5);
  for (let attempt = 0; attempt < COUNTING_TRIES; attempt += 1) {
    const creations = creates ? (order[attempt % order.length] as number) : 0;
    const before = await countable(check);
    await run(creations);
    // Only a total that is still too small may lag; one that reads change would only change the more.
    const after = await check.settled(
      () => countable(check),
      ({ total }) => !creates || total >= before.total + creations,
    );
    const off = after.total - before.total - creations;
    if (off === 0) return { kind: 'as expected' };
    if (after.total < before.total) check.notVerified('the total falls: somebody else deletes users');
    const again = await countable(check);
    const by = offWithEach === 'creation' ? off / creations : off;
    offs.push({ by, atRest: again.total === after.total });
    const always = offs.every((one) => one.by === by && (one.atRest || !creates));
    if (always && offs.length === SAME_TRIES) {
      return { kind: 'always off', by, exchanges: [before.exchange, after.exchange] };
    }
    await check.pause(Math.random() * JITTER_MS);
  }
  return { kind: 'others write' };
}

/** Creates plain users one after the other: creations at the same time are another requirement's matter. */
export async function createSome(check: Check, creations: number): Promise<void> {
  for (let made = 0; made < creations; made += 1) await plainUser(check);
}

/** A list whose total can be counted with. */
async function countable(check: Check): Promise<ListView> {
  const list = check.usersOf(await check.list());
  if (!Number.isSafeInteger(list.total)) check.notVerified(`a total of ${list.total} is too large to count with`);
  return list;
}
