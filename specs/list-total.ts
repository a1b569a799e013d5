import { decided, wobbles } from '../src/plan/count.ts';
import { orMissingOf, present, wholeRun, type Yields, yieldOf } from '../src/plan/evidence.ts';
import { isContradictory, isReadable, type Look } from '../src/plan/look.ts';
import { type Counting, counting, isRefuted, isUnchanged, isUncounted } from '../src/plan/steps/counting.ts';
import { firstUsers } from '../src/plan/steps/first.ts';
import { type LastLooks, lastLooks } from '../src/plan/steps/last.ts';
import { queriesInTurn } from '../src/plan/steps/reads.ts';
import { type Finding, notApplicable, notVerified, PASSED, that } from '../src/requirement/finding.ts';
import { chapter, drawn, must } from '../src/requirement/requirement.ts';
import { rule } from './interface.ts';
import { unreadList, whyNoUser } from './no-user.ts';

/** Judges the lists in which nothing lags any more: the first, and those at the end. */
function settledLists({ first, last, later }: LastLooks, judge: (look: Look) => Finding): Finding[] {
  return [first, last, later].map((look) => (isReadable(look) ? judge(look) : unreadList(look)));
}

const showsUsers = ({ shown, total, exchange }: Look) =>
  that(shown > 0 || total === 0, 'users in `data`', `none, with a total of ${total}`, exchange);

/** The list of the first user alone, where it contradicted itself until the settle time had passed. */
function listOfOne({ looks, creations }: Yields): Look[] {
  const [first = 0, second = 0] = creations.flatMap(({ fate, exchange }) => (fate === 'must' && exchange?.id) || []);
  const alone = looks.filter(({ exchange: { id } }) => id > first && id < second);
  return looks[0]?.total === 0 && alone.every(isContradictory) ? alone.slice(-1) : [];
}

/** Every list, where users were there before the run: no state of it had none, however old. */
function listsOfMany({ looks }: Yields): Look[] {
  return looks[0]?.others ? looks.filter(isReadable) : [];
}

const OTHERS = "other clients keep creating users, which can't be told apart from those of the run";

/** Lists after queries, which only a thorough run fetches. */
export const listsAfterQueries = drawn(queriesInTurn);

export const listTotal = chapter('List users', [
  must('list.total-covers-data', {
    source: rule('5.4'),
    sentence: 'The `total` is at least the number of users shown.',
    evidence: { looks: yieldOf(lastLooks) },
    check: ({ looks }) =>
      settledLists(looks, ({ shown, total, exchange }) => {
        return that(shown <= total, `a total of at least ${shown}`, `${total}`, exchange);
      }),
  }),

  must('list.total-exact', {
    source: rule('5.4'),
    sentence: 'Unless the list is paginated, its `total` is the number of users that it shows.',
    evidence: { looks: yieldOf(lastLooks) },
    check: ({ looks }) =>
      settledLists(looks, ({ shown, total, exchange }) => {
        if (shown >= total) return PASSED;
        const { grown } = looks;
        if (!grown || grown.missing) return notApplicable(`the list is paginated: it shows ${shown} of ${total} users`);
        const got = `${total}; after one more creation ${grown.look.total}, with ${grown.look.shown} users shown`;
        return that(false, `a total of ${shown}, the number of users shown`, got, exchange, grown.look.exchange);
      }),
  }),

  must('list.empty-only-at-zero', {
    source: rule('5.4'),
    sentence: 'The list is empty only if its `total` is 0.',
    evidence: { run: wholeRun, looks: yieldOf(lastLooks) },
    check: ({ run, looks }) => [
      ...settledLists(looks, showsUsers),
      ...[...listOfOne(run), ...listsOfMany(run)].map(showsUsers),
    ],
  }),

  must('list.total-counts-creations', {
    source: rule('5.4'),
    sentence: 'After n creations the `total` is higher by n.',
    evidence: { users: orMissingOf(firstUsers), looks: yieldOf(lastLooks), counting: yieldOf(counting) },
    check: ({ users, looks, counting }) =>
      looks.made.most === 0 ? whyNoUser(users) : countsCreations(looks, counting),
  }),

  must('list.total-unchanged-by-reads', {
    source: rule('5.4'),
    sentence: 'Reading does not change the `total`.',
    evidence: { looks: yieldOf(lastLooks), counting: yieldOf(counting), queried: listsAfterQueries },
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
]);

/** Judges how the total has moved over the creations of the run. */
function countsCreations(looks: LastLooks, { trials }: Counting): Finding {
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
