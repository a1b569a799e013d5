import { type Exchange, isAnswered } from '../src/http/exchange.ts';
import { cases, Missing, type Stopped, type Upset, wholeRun, type Yields } from '../src/plan/evidence.ts';
import type { Read } from '../src/plan/record.ts';
import { isKnown } from '../src/plan/seek.ts';
import { named, type ServiceEnd } from '../src/plan/service-end.ts';
import { attempted } from '../src/plan/steps/credentials.ts';
import { type AfterRow, refusalsInARow } from '../src/plan/steps/row.ts';
import { isAsItShouldBe, type Twins } from '../src/plan/steps/twins.ts';
import { created, type Kept, kept, laterWrittenUsers, unusualUsers, writtenUsers } from '../src/plan/steps/users.ts';
import { retrievalsAfterMalformed, retrievalsAfterRefusals, retrievalsAfterUsed } from '../src/plan/steps/writings.ts';
import { drawn } from '../src/requirement/drawn.ts';
import { type Finding, notVerified, that } from '../src/requirement/finding.ts';
import { each } from '../src/requirement/judge.ts';
import { chapter, must } from '../src/requirement/requirement.ts';
import { afterUsed, caseSwapped, cutShort, oneCharacter, otherScheme } from './authentication.ts';
import { allTwins } from './creations-together.ts';
import { createdLater, faultOf, ofPosted, ofTrial, open, usual, type Valid } from './equivalent-requests.ts';
import { isAuthorised } from './http.ts';
import { rule } from './interface.ts';
import { unusual } from './round-trip.ts';
import { laterWrittenCreations, retrievals, writtenCreations } from './writings.ts';

/** What the service still answers after requests that it can't carry out. */
function survives(run: Yields, valid: Valid): Finding[] {
  const before = run.invalidBefore(valid.exchange);
  const fault = faultOf(valid);
  if (fault === 'request before') {
    const when = before ? 'directly after a request that was refused' : 'once, among requests that were refused';
    const got = `${valid.exchange.response?.status} ${when}`;
    return [that(false, 'an answer as before', got, ...(before ? [before] : []), valid.exchange)];
  }
  // A writing that is rejected alone, too, says nothing of the request before.
  if (fault === 'writing') return [];
  return [before === undefined || fault === 'none' ? that(true, '', '') : open(valid)];
}

/** Statuses with which a fresh user may be missing for a while. */
const MAY_LAG = [400, 403, 404, 410];

/** A user who is retrieved when nothing else is under way is retrieved among requests that are refused. */
function isFoundAtOnce(run: Yields, { sought, quiet }: Kept): Finding[] {
  const onlyQuiet = !isKnown(sought) && sought.wrong.size > 0 && quiet !== undefined && isKnown(quiet);
  const mayLag = MAY_LAG.includes(sought.read?.exchange.response?.status ?? 0);
  return onlyQuiet && sought.read && !mayLag ? failedOnce(run, sought.read) : [];
}

/** The same of two users who share something. */
function areFoundAtOnce(run: Yields, twins: Twins): Finding[] {
  const { inCompany } = twins;
  if (inCompany === undefined || !isAsItShouldBe(twins)) return [];
  const reads = [
    inCompany.after,
    ...(inCompany.sought?.wrong.size && inCompany.sought.read ? [inCompany.sought.read] : []),
  ];
  return reads
    .filter(({ exchange }) => (exchange.response?.status ?? 0) >= 500)
    .flatMap((read) => failedOnce(run, read));
}

function failedOnce(run: Yields, { ok, exchange }: Read): Finding[] {
  if (ok || !isAnswered(exchange)) return [];
  const before = run.invalidBefore(exchange);
  const got = `${exchange.response?.status} once, among requests that were refused`;
  return [that(false, 'an answer as when nothing else is under way', got, ...(before ? [before] : []), exchange)];
}

/** A valid request that got no answer is only a failure when it gets none again after the same request. */
function isChance({ before, valid, again }: Upset): Finding {
  if (again.length === 0) {
    return that(
      false,
      'an answer as before',
      `${valid.response?.status} after requests that were refused`,
      before,
      valid,
    );
  }
  const isLost = (exchange: Exchange) => (exchange.lost ?? 0) > 0 || !isAnswered(exchange);
  const lost = again.every((pair) => isLost(pair.valid));
  const exchanges = [before, valid, ...again.map((pair) => pair.valid)];
  // Where nothing is answered at the time, that says nothing of the request before.
  if (lost && again.some((pair) => isLost(pair.control)))
    return notVerified(valid.failure ?? 'others got no answer either', ...exchanges);
  return that(
    !lost,
    'an answer as before',
    `none, ${again.length + 1} times directly after the same request`,
    ...exchanges,
  );
}

/** Where the service answers no valid request any more, malformed requests have brought that about, or nobody knows what. */
function isStillThere(run: Yields, { why, record }: Stopped): Finding {
  const [shown] = why.exchanges;
  const malformed = record.filter((one) => {
    return run.isInvalid(one) && one.request.method === 'POST' && isAuthorised(one) && one.id < (shown?.id ?? 0);
  });
  if (shown === undefined || (!isAnswered(shown) && malformed.length === 0))
    return notVerified(why.message, ...why.exchanges);
  const last = malformed.at(-1);
  const got = shown.response ? `${shown.response.status}` : `${shown.failure}`;
  return that(
    false,
    'an answer as before',
    `${got}, and no other valid request is answered`,
    ...(last ? [last] : []),
    shown,
  );
}

/** A service that was started again, and ends by the same requests, is not there for the next one. */
function endsAgain({ text, again }: ServiceEnd): Finding[] {
  const got = `none: ${text}, and again when it was started and sent the same once more: ${named(again)}`;
  return again.length === 0 ? [] : [that(false, 'an answer as before', got, ...again)];
}

/** After many refused requests the next valid one is answered, as it is when it is sent again. */
function afterARow({ last, ...trial }: AfterRow): Finding[] {
  const valid = ofTrial(trial);
  const fault = faultOf(valid);
  if (fault === 'none') return [that(true, '', '')];
  if (fault !== 'request before') return [open(valid)];
  const got = `${valid.exchange.response?.status} directly after ${trial.what}`;
  return [that(false, 'an answer as before', got, last, valid.exchange)];
}

/** What came of cases that a thorough run adds to. */
export const retrievedAfterRefusals = drawn(retrievalsAfterRefusals, ...retrievals);
export const retrievedAfterMalformed = drawn(retrievalsAfterMalformed, ...usual);
export const afterRows = drawn(refusalsInARow);

export const survival = chapter('HTTP and JSON', [
  must('http.survives-bad-requests', {
    source: rule('1.1'),
    sentence: 'After refused and malformed requests the service still answers the next valid one.',
    evidence: {
      run: wholeRun,
      retrieved: retrievedAfterRefusals,
      retrievedLater: retrievedAfterMalformed,
      retrievedAfterKeys: cases(retrievalsAfterUsed, ...afterUsed),
      keys: attempted(...cutShort, ...caseSwapped, ...oneCharacter, ...otherScheme),
      rows: afterRows,
      created: created(writtenUsers, ...writtenCreations),
      createdLater,
      unusual: kept(unusualUsers, ...unusual),
      written: kept(writtenUsers, ...writtenCreations),
      writtenLater: kept(laterWrittenUsers, ...laterWrittenCreations),
      twins: allTwins,
    },
    check: ({
      run,
      retrieved,
      retrievedLater,
      retrievedAfterKeys,
      rows,
      created,
      createdLater,
      unusual,
      written,
      writtenLater,
      twins,
    }) => [
      ...(run.ended ? endsAgain(run.ended) : run.stopped?.byService ? [isStillThere(run, run.stopped)] : []),
      ...each([...retrieved, ...retrievedLater, ...retrievedAfterKeys], (one) => survives(run, ofTrial(one))),
      ...each([...created, ...createdLater], (one) => survives(run, ofPosted(one))),
      ...[...unusual, ...written, ...writtenLater].flatMap((one) =>
        one instanceof Missing ? [] : isFoundAtOnce(run, one),
      ),
      ...twins.flatMap((one) => (one instanceof Missing ? [] : areFoundAtOnce(run, one))),
      ...each(rows, (all) => all.flatMap(afterARow)),
      ...run.upsets.map(isChance),
    ],
  }),
]);
