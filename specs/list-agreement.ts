import { isAnswered } from '../src/http/exchange.ts';
import { show, textOf } from '../src/http/value.ts';
import { orMissingOf, present, wholeRun, yieldOf } from '../src/plan/evidence.ts';
import { identifierMember, segmentOf } from '../src/plan/identifier.ts';
import type { Creation } from '../src/plan/ledger.ts';
import { isReadable, type Look } from '../src/plan/look.ts';
import { isOf } from '../src/plan/record.ts';
import { settled } from '../src/plan/step.ts';
import { firstUsers } from '../src/plan/steps/first.ts';
import { type LastLooks, lastLooks } from '../src/plan/steps/last.ts';
import type { UserTrial } from '../src/plan/steps/users.ts';
import { type Finding, notApplicable, notVerified, that } from '../src/requirement/finding.ts';
import { chapter, must } from '../src/requirement/requirement.ts';
import { rule } from './interface.ts';
import { unreadList, whyNoUser } from './no-user.ts';
import { keptUnusual } from './round-trip.ts';

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
function agreesWithRead(look: Look, creation: Creation, item: Record<string, unknown>, identifier?: string): Finding[] {
  const { read } = creation;
  const record = read?.record ?? {};
  if (isChanged(creation)) return [notVerified(CHANGED, read?.exchange)];
  return ['email', 'name', ...(identifier ? [identifier] : [])].map((member) => {
    const [listed, retrieved] = [item[member], record[member]];
    const comparable = listed !== undefined && retrieved !== undefined;
    const same = !comparable || (textOf(listed) ?? show(listed)) === (textOf(retrieved) ?? show(retrieved));
    const expected = `${member} ${show(retrieved)} in the list, as retrieved`;
    return that(same, expected, show(listed), look.exchange, read?.exchange);
  });
}

const CHANGED = 'the user is retrieved with other values than were sent';

/** Whether retrieving shows other values than those that the service must keep as they are. */
export function isChanged({ read, fate, user }: Creation): boolean {
  return fate === 'must' && read !== undefined && !isOf(read.record, user);
}

export const listAgreement = chapter('List users', [
  must('list.agrees-with-retrieve', {
    source: rule('5.1'),
    sentence: 'The list shows a user with the same identifier, email and name as retrieving the user does.',
    evidence: { run: wholeRun, first: orMissingOf(firstUsers), looks: yieldOf(lastLooks), odd: keptUnusual },
    check: ({ run, first, looks, odd }) => {
      const users = run.creations.filter(({ read }) => read?.record !== undefined);
      const identifier = identifierMember(users);
      // Where retrieving shows none of the plain users as they are, it tells nothing of the others.
      const plain = users.filter(({ fate }) => fate === 'must');
      if (plain.length > 0 && plain.every(isChanged))
        return plain.map(({ read }) => notVerified(CHANGED, read?.exchange));
      const agreeing = run.looks.filter(isReadable).flatMap((look) => {
        const member = identifier ?? look.identifierMember;
        return users.flatMap((user) =>
          (look.ours.get(user) ?? []).flatMap((item) => agreesWithRead(look, user, item, member)),
        );
      });
      const found = [...agreeing, ...present(odd).flatMap((one) => isRetrieved(looks, one))];
      if (found.length > 0) return found;
      if (!isReadable(looks.last)) return unreadList(looks.last);
      if (users.length === 0) return whyNoUser(first);
      return notApplicable('the list shows none of the users that were retrieved');
    },
  }),
]);
