import { type Exchange, isAnswered } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
import { cases, type OrMissing, orMissingOf, present, wholeRun, type Yields, yieldOf } from '../src/plan/evidence.ts';
import type { Creation } from '../src/plan/ledger.ts';
import { isPaged, isReadable, type Look } from '../src/plan/look.ts';
import { isOf, members } from '../src/plan/record.ts';
import { faultOf, type Tried } from '../src/plan/step.ts';
import { firstUsers } from '../src/plan/steps/first.ts';
import { type LastLooks, lastLooks } from '../src/plan/steps/last.ts';
import { isComplete, listWritten, oddlyShown, type WrittenList } from '../src/plan/steps/reads.ts';
import { each, type Finding, notApplicable, notVerified, that } from '../src/requirement/finding.ts';
import { furtherLists, isAsSent, isChanged, listsAmongCreations, unreadList, whyNoUser } from './list-consistency.ts';
import { chapter, must, rule } from './requirement.ts';
import { addressEvidence, meantInstead } from './versioning.ts';
import { listWritings } from './writings.ts';

/** What came of lists in another writing, which were asked for while users were being created. */
const listed = cases(listWritten, ...listWritings);

/**
 * The lists that were asked for as usual, and those in another writing that failed in company alone; how another
 * writing as such is answered is a matter of its own.
 */
function usualLooks({ looks }: Yields, trials: OrMissing<Tried<WrittenList>>[]): Look[] {
  const usual = looks.filter(({ written }) => !written);
  const inCompany = present(trials).filter((one) => faultOf(one, isComplete) === 'company');
  return [...usual, ...inCompany.map(({ first }) => first.look)];
}

/** A part of the user list's schema holds for every list that was fetched. */
const matches = (part: keyof Look['faults'], expected: string, further = {}) => ({
  evidence: { run: wholeRun, trials: listed, ...further },
  check: ({ run, trials }: { run: Yields; trials: OrMissing<Tried<WrittenList>>[] }) =>
    usualLooks(run, trials).map(({ ok, faults, exchange }) => {
      const unreadable =
        !ok || exchange.response?.jsonFault !== undefined || (part !== 'data' && faults.data !== undefined);
      if (unreadable) return notVerified(exchange.failure ?? "the list response can't be read", exchange);
      return that(faults[part] === undefined, expected, `${faults[part]}`, exchange);
    }),
});

/** The users whom the last lists must show: accepted, or retrieved, before the first of them; and not gone since. */
function listable({ creations }: Yields, { unlisted, last: look }: LastLooks): Creation[] {
  // Where nobody is retrieved, nothing tells that a user is stored.
  if (!creations.some(({ identifier }) => identifier !== undefined)) return [];
  return creations.filter((creation) => {
    const { fate, answered, isSought, identifier, exchange, read } = creation;
    // Who was looked for and not found is another requirement's matter.
    if (identifier === undefined && (fate !== 'must' || answered !== 'created' || isSought)) return false;
    const isGone = unlisted.has(creation) && unlisted.get(creation)?.record === undefined;
    const last = identifier === undefined ? exchange : read?.exchange;
    // By the number as well: what was sent in the same millisecond may have been sent later.
    const isBefore = !last || (last.id < look.exchange.id && last.at + last.duration <= look.exchange.at);
    return !isGone && isBefore;
  });
}

/** A list that was asked for again and again until the settle time had passed shows who was retrieved before. */
function lacksRetrieved({ creations }: Yields, { first: { look }, usual }: Tried<WrittenList>): Finding[] {
  if (usual === undefined || !isReadable(usual.look) || isPaged(usual.look)) return [];
  return creations.flatMap(({ exchange, identifier, read, user }) => {
    const isBefore = exchange !== undefined && read !== undefined && read.exchange.id < look.exchange.id;
    const isShown = [...usual.look.ours.keys()].some((shown) => shown.user === user);
    if (!isBefore || identifier === undefined || isShown) return [];
    const expected = `an item for ${user.email}, who was retrieved before`;
    return [that(false, expected, 'none', read.exchange, usual.look.exchange)];
  });
}

/** Who is twice in one response is so on no page, and in no older state of the list. */
function isTwice({ creations }: Yields, look: Look): Finding[] {
  const isLike = (one: Creation, other: Creation) =>
    other.fate !== 'must-not' && one.user.email.toLowerCase() === other.user.email.toLowerCase();
  const isAlone = (one: Creation) => creations.filter((other) => isLike(one, other)).length === 1;
  return [...look.ours].flatMap(([creation, { length }]) => {
    if (length < 2 || creation.fate !== 'must' || !isAlone(creation)) return [];
    return [that(false, `one item for ${creation.user.email}`, `${length} in one response`, look.exchange)];
  });
}

/** Who was created while the last list was fetched is in the later one: no list is kept without that user. */
function isInLater(run: Yields, looks: LastLooks): Finding[] {
  const { created, later, grown } = looks;
  const [creation] = present([created]).map(({ first }) => first);
  const isWhole = isReadable(later) && (!isPaged(later) || grown?.missing);
  if (creation?.answered !== 'created' || !isWhole || listable(run, looks).length === 0) return [];
  const items = later.ours.get(creation)?.length ?? 0;
  const expected = `one item for ${creation.user.email}, who was created while the list before was fetched`;
  return [that(items === 1, expected, `${items}`, creation.exchange, later.exchange)];
}

const users = orMissingOf(firstUsers);

export const listUsers = chapter('List users', [
  must('list.answers', rule('5.1'), {
    sentence: 'GET /users returns a 2xx status.',
    evidence: { run: wholeRun, trials: listed, again: furtherLists, ...addressEvidence },
    check: ({ run, trials, ...address }) => {
      const meant = meantInstead(address);
      if (meant) return notVerified('the list is at another address', meant.first);
      const looks = usualLooks(run, trials);
      const answered = looks.filter(({ exchange }) => isAnswered(exchange));
      if (answered.length === 0) return looks.map(({ exchange }) => notVerified(`${exchange.failure}`, exchange));
      return answered.map(({ ok, exchange, opened }) =>
        that(ok, 'a 2xx status', hinted(run, exchange, opened), exchange, opened?.exchange),
      );
    },
  }),

  must('list.data-array', rule('5.2'), {
    sentence: 'The list is a JSON object whose `data` is an array, also when there are no users.',
    ...matches('data', 'a JSON object with an array `data`', { again: furtherLists }),
  }),

  must('list.total-integer', rule('5.4'), {
    sentence: 'The `total` of the list is an integer of 0 or more.',
    ...matches('total', 'an integer `total` of 0 or more'),
  }),

  must('list.users', rule('5.3'), {
    sentence: 'Every item of `data` is an object with `email` and `name`, both strings.',
    ...matches('users', 'items with a string `email` and a string `name`', { again: furtherLists }),
  }),

  must('list.contains-created', rule('5.1'), {
    sentence: 'A created user is in the list exactly once, with the email and name that were sent.',
    evidence: {
      ...{ run: wholeRun, users, looks: yieldOf(lastLooks), trials: listed },
      ...{ again: furtherLists, meanwhile: listsAmongCreations },
    },
    check: ({ run, users, looks, trials, again, meanwhile }) => [
      ...present(isPaged(looks.last) ? [] : trials).flatMap((one) => lacksRetrieved(run, one)),
      ...run.looks.filter(isReadable).flatMap((look) => isTwice(run, look)),
      ...isInLater(run, looks),
      ...each([...again, ...meanwhile], (one) => {
        const { look } = one.first;
        const [odd] = oddlyShown(one.first).filter((creation) => one.usual?.look.ours.get(creation)?.length === 1);
        const got = `${odd && (look.ours.get(odd)?.length ?? 0)} in one list, 1 in the next`;
        return that(odd === undefined, `one item for ${odd?.user.email}`, got, look.exchange);
      }),
      ...[looks.last, looks.later].flatMap((look) => {
        if (!isReadable(look)) return [unreadList(look)];
        const { shown, total, exchange, ours } = look;
        if (isPaged(look) && !looks.grown?.missing)
          return [notApplicable(`the list is paginated: it shows ${shown} of ${total} users`)];
        const due = listable(run, looks);
        if (due.length === 0) return [whyNoUser(users)];
        // What is changed of those who were retrieved is a matter of its own.
        const isKept = !due.some((one) => isChanged(one) || (one.read && !isAsSent(one, ours.get(one)?.[0])));
        return due.flatMap((creation) => {
          const { user, read } = creation;
          const items = ours.get(creation) ?? [];
          const [item = {}] = items;
          const expected = `one item for ${user.email} (the list shows ${shown}, total ${total})`;
          // Of a plain user whom nothing has retrieved, the list alone shows the values.
          const isOnly = isKept && items.length === 1 && creation.fate === 'must' && read === undefined;
          const found = that(items.length === 1, expected, `${items.length}`, exchange);
          const shows = that(isOf(item, user), show(user), show(members(item)), creation.exchange, exchange);
          return isOnly ? [found, shows] : [found];
        });
      }),
    ],
  }),
]);

/** A status, with what to look at first where it is a usual one. */
function hinted({ baseUrl }: Yields, { response }: Exchange, opened: Look['opened']): string {
  const status = response?.status ?? 0;
  if (opened) return `${status}; ${opened.exchange.response?.status} ${opened.how}`;
  if (status === 401 || status === 403) return `${status}: is API_KEY the right key for each operation?`;
  if (status >= 300 && status < 400) return `${status} (a redirect is not followed)`;
  if (status === 404) return `404: is BASE_URL ${baseUrl} the right address?`;
  return `${status}`;
}
