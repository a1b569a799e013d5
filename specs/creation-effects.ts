import { show } from '../src/http/value.ts';
import { decided } from '../src/plan/count.ts';
import { wholeRun, yieldOf } from '../src/plan/evidence.ts';
import { isReadable } from '../src/plan/look.ts';
import { counting } from '../src/plan/steps/counting.ts';
import { lastLooks } from '../src/plan/steps/last.ts';
import { locations } from '../src/plan/steps/locations.ts';
import { notApplicable, notVerified, that } from '../src/requirement/finding.ts';
import { chapter, must, rfc, should } from '../src/requirement/requirement.ts';
import { rule } from './interface.ts';

export const creationEffects = chapter('Create a user', [
  must('create.refused-creates-nothing', {
    source: rule('6.1'),
    sentence: 'A creation that is refused creates nothing, not even later.',
    evidence: { run: wholeRun, looks: yieldOf(lastLooks), counting: yieldOf(counting) },
    check: ({ run, looks, counting }) => {
      const refused = run.creations.filter(({ fate, answered }) => fate === 'must-not' && answered === 'refused');
      if (refused.length === 0) return notApplicable('nothing was refused');
      if (!isReadable(looks.last)) return notVerified('the list can not be read', looks.last.exchange);
      const guilty = refused.flatMap((creation) => {
        const look = [looks.last, looks.later].find(({ ours }) => ours.has(creation));
        return look && creation.exchange ? [{ creation, exchanges: [creation.exchange, look.exchange] }] : [];
      });
      const effect = decided(counting.trials, 'refused creations') ?? 0;
      const counted = counting.trials.filter(({ action }) => action === 'refused creations').at(-1);
      return [
        ...guilty.map(({ creation, exchanges }) => {
          const got = `a user of ${creation.what}, answered ${creation.exchange?.response?.status}`;
          return that(false, 'no user of a refused creation', got, ...exchanges);
        }),
        that(
          effect <= 0,
          `a total that does not grow with ${refused.length} refused creations`,
          `by ${effect} each time`,
          ...(counted ? [counted.before.exchange, counted.after.exchange] : []),
        ),
      ];
    },
  }),

  should('create.status-201', {
    source: rfc(9110, '9.3.3'),
    sentence: 'A creation is answered 201, or 202 where the user appears later.',
    evidence: { locations: yieldOf(locations) },
    check: ({ locations }) =>
      locations.map(({ status, created }) =>
        that(status === 201 || status === 202, 'status 201 or 202', `${status}`, created),
      ),
  }),

  should('create.location', {
    source: rfc(9110, '9.3.3'),
    sentence: 'The answer to a creation names the created user by a Location that leads to it.',
    evidence: { locations: yieldOf(locations) },
    check: ({ locations }) =>
      locations.map(({ status, location, isOwn, leadsToUser, created, followed }) => {
        if (location === undefined && status !== 201) return notApplicable(`no Location is sent with a ${status}`);
        const got = location === undefined ? 'a 201 without one' : show(location);
        if (followed === undefined)
          return that(isOwn && leadsToUser, 'a Location that leads to the user', got, created);
        const answer = `${got}, answered ${followed.response?.status ?? 'nothing'}`;
        return that(leadsToUser, 'a Location that leads to the user', answer, created, followed);
      }),
  }),
]);
