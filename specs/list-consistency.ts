import { isAnswered } from '../src/http/exchange.ts';
import { show, textOf } from '../src/http/value.ts';
import { type CountTrial, decided, wobbles } from '../src/plan/count.ts';
import { Missing, type OrMissing, orMissingOf, present, wholeRun, type Yields, yieldOf } from '../src/plan/evidence.ts';
import { identifierMember, segmentOf } from '../src/plan/identifier.ts';
import type { Creation } from '../src/plan/ledger.ts';
import { isContradictory, isReadable, type Look } from '../src/plan/look.ts';
import { isOf, type Read } from '../src/plan/record.ts';
import { settled } from '../src/plan/step.ts';
import { counting, isRefuted, isUnchanged, isUncounted, queriesInTurn } from '../src/plan/steps/counting.ts';
import { type FirstUsers, firstUsers, whyUnknown } from '../src/plan/steps/first.ts';
import { type LastLooks, lastLooks } from '../src/plan/steps/last.ts';
import { listsAgain, listsMeanwhile } from '../src/plan/steps/reads.ts';
import type { UserTrial } from '../src/plan/steps/users.ts';
import { each, type Finding, missing, notApplicable, notVerified, PASSED, that } from '../src/requirement/finding.ts';
import { chapter, drawn, must, rule } from './requirement.ts';
import { keptUnusual } from './round-trip.ts';

/**
 * Why there is no user of the run to judge: none may be created, or the first one could not be created or retrieved.
 */
export function whyNoUser(users: OrMissing<FirstUsers>): Finding {
  if (users instanceof Missing) return missing(users);
  const isReadOnly = users.first.creation.exchange === undefined;
  return isReadOnly ? notApplicable('read-only: nothing is created') : missing(whyUnknown(users.first));
}

/** Why a list that can't be read is not judged. */
export const unreadList = ({ exchange }: Look): Finding =>
  notVerified(exchange.failure ?? "the list response can't be read", exchange);

/** Judges the lists in which nothing lags any more: the first, and those at the end. */
const settledLists = ({ first, last, later }: LastLooks, judge: (look: Look) => Finding): Finding[] =>
  [first, last, later].map((look) => (isReadable(look) ? judge(look) : unreadList(look)));

const showsUsers = ({ shown, total, exchange }: Look) =>
  that(shown > 0 || total === 0, 'users in `data`', `none, with a total of ${total}`, exchange);

/**
 * Every list, where users were there before the run: no state of it had none, however old. Else that of the first user
 * alone, where it contradicted itself until the settle time had passed.
 */
function neverEmpty({ looks, creations }: Yields): Look[] {
  if (looks[0]?.others) return looks.filter(isReadable);
  const [first = 0, second = 0] = creations.flatMap(({ fate, exchange }) => (fate === 'must' && exchange?.id) || []);
  const alone = looks.filter(({ exchange: { id } }) => id > first && id < second);
  return looks[0]?.total === 0 && alone.every(isContradictory) ? alone.slice(-1) : [];
}

const OTHERS = "other clients keep creating users, which can't be told apart from those of the run";

export const looks = yieldOf(lastLooks);
const counted = yieldOf(counting);

/** Usual lists while other requests are in flight, and lists after queries, which only a thorough run fetches. */
export const furtherLists = drawn(listsAgain);
export const listsAmongCreations = drawn(listsMeanwhile);
export const listsAfterQueries = drawn(queriesInTurn);

/** Judges how the total has moved over the creations of the run. */
function countsCreations(looks: LastLooks, trials: CountTrial[]): Finding {
  const { first, last, later, made } = looks;
  const unreadable = [first, last].find((look) => !isReadable(look));
  if (unreadable) return unreadList(unreadable);
  const exchanges = [first.exchange, last.exchange];
  if (![first, last].every(({ total }) => Number.isSafeInteger(total))) {
    return notVerified(`a total of ${last.total} is too large to count with`, ...exchanges);
  }
  const moved = last.total - first.total;
  const isExplained = moved >= made.least && moved <= made.most;
  // A list that shows all users tells of each whose it is: what is more than ours is others'.
  if (isExplained || (last.shown === last.total && moved > made.most)) return PASSED;
  if (isUncounted(looks)) {
    const expected = `the total grows by at least ${made.least}, one for each creation`;
    return that(false, expected, `it grew by ${moved}`, ...exchanges);
  }
  if (isRefuted(looks)) return notVerified('the list contradicts itself, or lacks users', later.exchange);
  const effect = decided(trials, 'creations');
  const { before = first, after = last } = trials.findLast(({ action }) => action === 'creations') ?? {};
  if (effect) {
    const got = `it grew by ${Math.round(100 * (1 + effect)) / 100}`;
    return that(false, 'the total grows by 1 with one creation', got, before.exchange, after.exchange);
  }
  if (moved < made.least) {
    const why = `the total grew by ${moved} over ${made.least} creations: another client deletes users`;
    return notVerified(why, ...exchanges);
  }
  return effect === 0 ? PASSED : notApplicable(OTHERS);
}

/** Who is in the list is retrieved by the identifier that it shows. */
function isRetrieved({ last, later }: LastLooks, one: UserTrial): Finding[] {
  const { creation, identifier, read, tries } = settled(one);
  const look = [last, later].find(({ ours, identifierMember }) => identifierMember && ours.has(creation));
  const shown = textOf(look?.ours.get(creation)?.[0]?.[look.identifierMember ?? '']);
  const isTold = read !== undefined && !read.unreadable && isAnswered(read.exchange);
  const isTried = shown !== undefined && tries.some((one) => one.identifier.segment === segmentOf(shown));
  if (identifier !== undefined || look === undefined || !isTold || !isTried) return [];
  const got = read.others.join(', ') || `${read.exchange.response?.status} without the user`;
  return [that(false, `the user whom the list shows with the identifier ${shown}`, got, look.exchange, read.exchange)];
}

/** What the list shows of a user is what retrieving showed. */
function agreesWithRead({ ours, exchange }: Look, creation: Creation, identifier?: string): Finding[] {
  const { read } = creation;
  const items = ours.get(creation) ?? [];
  if (isChanged(creation)) return items.map(() => notVerified(CHANGED, read?.exchange));
  const compared = ['email', 'name', ...(identifier ? [identifier] : [])];
  const pairs = items.flatMap((item) => compared.map((one) => [one, item[one], read?.record?.[one]] as const));
  return pairs.map(([member, listed, retrieved]) => {
    const isComparable = listed !== undefined && retrieved !== undefined;
    const isSame = !isComparable || (textOf(listed) ?? show(listed)) === (textOf(retrieved) ?? show(retrieved));
    const expected = `${member} ${show(retrieved)} in the list, as retrieved`;
    return that(isSame, expected, show(listed), exchange, read?.exchange);
  });
}

const CHANGED = 'the user is retrieved with other values than were sent';

/** Whether a record shows what the service must keep as it was sent. */
export const isAsSent = ({ fate, user }: Creation, record: Read['record']) => fate !== 'must' || isOf(record, user);

/** Whether retrieving shows other values. */
export const isChanged = (one: Creation) => one.read !== undefined && !isAsSent(one, one.read.record);

export const listConsistency = chapter('List users', [
  must('list.total-covers-data', rule('5.4'), {
    sentence: 'The `total` is at least the number of users shown.',
    evidence: { looks },
    check: ({ looks }) =>
      settledLists(looks, ({ shown, total, exchange }) => {
        return that(shown <= total, `a total of at least ${shown}`, `${total}`, exchange);
      }),
  }),

  must('list.total-exact', rule('5.4'), {
    sentence: 'Unless the list is paginated, its `total` is the number of users that it shows.',
    evidence: { looks },
    check: ({ looks }) =>
      settledLists(looks, ({ shown, total, exchange }) => {
        if (shown >= total) return PASSED;
        const { grown } = looks;
        if (!grown || grown.missing) return notApplicable(`the list is paginated: it shows ${shown} of ${total} users`);
        const got = `${total}; after one more creation ${grown.look.total}, with ${grown.look.shown} users shown`;
        return that(false, `a total of ${shown}, the number of users shown`, got, exchange, grown.look.exchange);
      }),
  }),

  must('list.empty-only-at-zero', rule('5.4'), {
    sentence: 'The list is empty only if its `total` is 0.',
    evidence: { run: wholeRun, looks, again: furtherLists },
    check: ({ run, looks, again }) => [
      ...settledLists(looks, showsUsers),
      ...neverEmpty(run).map(showsUsers),
      // Some users are older than any lag.
      ...each(again, ({ first: { look, older } }) => (isReadable(look) && older.length > 0 ? showsUsers(look) : [])),
    ],
  }),

  must('list.total-counts-creations', rule('5.4'), {
    sentence: 'After n creations the `total` is higher by n.',
    evidence: { users: orMissingOf(firstUsers), looks, counting: counted },
    check: ({ users, looks, counting }) =>
      looks.made.most === 0 ? whyNoUser(users) : countsCreations(looks, counting.trials),
  }),

  must('list.total-unchanged-by-reads', rule('5.4'), {
    sentence: 'Reading does not change the `total`.',
    evidence: { looks, counting: counted, queried: listsAfterQueries },
    check: ({ looks, counting: { trials, atRest }, queried }) => {
      const { last, later } = looks;
      const [sticky] = present(queried).flat();
      if (sticky) {
        const { query, before, next, later: after } = sticky;
        const got = `${next.total} in the list after one with ${query}, and ${after.total} in the next`;
        return that(false, `a total of at least ${before.total}`, got, before.exchange, next.exchange, after.exchange);
      }
      const unreadable = [last, later].find((look) => !isReadable(look));
      if (unreadable) return unreadList(unreadable);
      const exchanges = [last.exchange, later.exchange];
      if (wobbles(atRest)) {
        const totals = atRest.map(({ total }) => total).join(', ');
        return that(false, 'the same total while nothing is sent', totals, ...atRest.map(({ exchange }) => exchange));
      }
      const effect = decided(trials, 'reads');
      if (effect) return that(false, 'the same total after reading', `${effect} more each time`, ...exchanges);
      if (isUnchanged(looks) || effect === 0) return PASSED;
      if (later.total < last.total) return notVerified('the total falls: another client deletes users', ...exchanges);
      return notApplicable(OTHERS);
    },
  }),

  must('list.agrees-with-retrieve', rule('5.1'), {
    sentence: 'The list shows a user with the same identifier, email and name as retrieving the user does.',
    evidence: { run: wholeRun, first: orMissingOf(firstUsers), looks, odd: keptUnusual },
    check: ({ run, first, looks, odd }) => {
      const users = run.creations.filter(({ read }) => read?.record !== undefined);
      const identifier = identifierMember(users);
      // Where retrieving shows none of the plain users as they are, it tells nothing of the others.
      const plain = users.filter(({ fate }) => fate === 'must');
      if (plain.length > 0 && plain.every(isChanged))
        return plain.map(({ read }) => notVerified(CHANGED, read?.exchange));
      const agreeing = run.looks.filter(isReadable).flatMap((look) => {
        return users.flatMap((user) => agreesWithRead(look, user, identifier ?? look.identifierMember));
      });
      const found = [...agreeing, ...present(odd).flatMap((one) => isRetrieved(looks, one))];
      if (found.length > 0) return found;
      if (!isReadable(looks.last)) return unreadList(looks.last);
      if (users.length === 0) return whyNoUser(first);
      return notApplicable('the list shows none of the users that were retrieved');
    },
  }),
]);
