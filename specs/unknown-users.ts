import { type Exchange, isAnswered, isSuccess } from '../src/http/exchange.ts';
import { shorten, show } from '../src/http/value.ts';
import { cases, type OrMissing, part, present, yieldOf } from '../src/plan/evidence.ts';
import { kindOf, segmentOf, unknownIdentifiers } from '../src/plan/identifier.ts';
import { someOf } from '../src/plan/step.ts';
import { firstUsers } from '../src/plan/steps/first.ts';
import { type Lookup, type LookupCase, lookups, refusalsAround } from '../src/plan/steps/refusals.ts';
import { each, type Finding, notApplicable, notVerified, of, that } from '../src/requirement/finding.ts';
import { isAuthorised } from './http.ts';
import { chapter, drawn, must, ofEach, rfc, rule, should } from './requirement.ts';
import { ofKind, repeated, texts } from './words.ts';

/** Identifiers of the shape of the known ones: integers are all to be tried, of others one that is nobody's. */
const nobody: LookupCase = {
  what: 'an identifier of the same form as known ones',
  segments: (all) =>
    unknownIdentifiers(all)
      .filter((text) => !['0', '-1'].includes(text))
      .map(segmentOf),
};
const ifInteger = (what: string, make: (one: string) => string): LookupCase => ({
  what,
  segments: ([one = '']) => (kindOf(one) === 'integer' ? [make(one)] : []),
});
/** A known one plus an integer; none of others than integers. */
export const plus =
  (step: bigint): LookupCase['segments'] =>
  ([one = '']) =>
    kindOf(one) === 'integer' ? [`${BigInt(one) + step}`].filter((text) => !text.startsWith(one)) : [];

/**
 * A known one of some length with a character changed, so many places before its end, or before its beginning where
 * that is negative.
 */
export const changed =
  (place: number): LookupCase['segments'] =>
  ([one = '']) => {
    const at = place < 0 ? -1 - place : one.length - 1 - place;
    const [old = ''] = one.slice(at);
    if (kindOf(one) === 'integer' || one.length < 12 || !/[0-9a-z]/i.test(old)) return [];
    // As a check character may be, a letter beyond f becomes another letter.
    const [least, next] = /[0-9a-f]/i.test(old) ? ['0', '1'] : ['x', 'y'];
    return [segmentOf(one.slice(0, at) + (old.toLowerCase() === least ? next : least) + one.slice(at + 1))];
  };

/** One of other identifiers than integers, or of integers. */
const either = (what: string, ofText: LookupCase['segments'], ofInteger: LookupCase['segments']): LookupCase => {
  return { what, segments: (all) => [...ofText(all), ...ofInteger(all)] };
};
export const near = [
  either('a known one with its last character changed, or plus 2^16', changed(0), plus(2n ** 16n)),
  either('a known one with its first character changed, or plus 10^9', changed(-1), plus(10n ** 9n)),
  either('a known one with a character in the middle changed, or plus 10^6', changed(10), plus(10n ** 6n)),
];
const unknown: LookupCase[] = [nobody, ...['0', '-1'].map((text) => ifInteger(text, () => text)), ...someOf(near, 2)];

const fixed = (what: string, segment: string): LookupCase => ({ what, segments: () => [segment] });

/** Those of a kind in `words/unknown-identifiers.txt`, in which they are percent-encoded as they are sent. */
const listed = (kind: string) =>
  ofKind('unknown-identifiers', kind).map(([what, segment]) => fixed(what, repeated(segment)));

/** Identifiers that nobody would give to a user. */
const odd = listed('odd').map((one) => ({ ...one, ...(one.what === 'a slash' && { mayBeList: true }) }));
const oddOne = (name: string) => odd.filter(({ what }) => what === name);

/**
 * Of each kind one, for other steps to send: identifiers that are looked up, and paths that many servers reject unread.
 */
export const NOBODYS = [...oddOne('the word null'), nobody, ...oddOne('a percent sign')];
export const UNREAD = [...oddOne('4,000 letters'), ...listed('not encoded')];

/** Of an integer with more digits than a double has the next one, which a double takes for the same. */
const NIL: LookupCase = {
  what: 'the nil UUID, or a known integer plus 2^53, or plus 1 where it is longer than that',
  segments: ([one = '']) => {
    if (kindOf(one) === 'UUID') return ['00000000-0000-0000-0000-000000000000'];
    return plus(/^\d{17,}$/.test(one) ? 1n : 2n ** 53n)([one]);
  },
};

/** A known one that is long enough to be nobody's without its last character, with something in the place of that. */
const endingWith = (what: string, end: string): LookupCase => ({
  what,
  segments: ([one = '', ...more]) =>
    /.{11}[0-9a-z]$/i.test(one) && !more.includes(one.slice(0, -1)) ? [segmentOf(one.slice(0, -1) + end)] : [],
});

/** Less common ones, of which a run tries a few. */
export const rarer = [
  ...texts('rarer-identifiers').map((text) => fixed(show(text), segmentOf(text))),
  NIL,
  endingWith('a known one without its last character', ''),
  ...['_', '%', '*'].map((end) => endingWith(`a known one with ${end} for its last character`, end)),
];

/** Identifiers that a lookup may read as a pattern, an index or a query. */
const patterns: LookupCase[] = [
  ...listed('pattern'),
  { what: 'an index', segments: ([one = '']) => (kindOf(one) === 'integer' ? [] : ['0']) },
  ifInteger('a known integer plus 2^32', (one) => `${BigInt(one) + 2n ** 32n}`),
  ...listed('query'),
  ...someOf(rarer, 5),
];

const all = cases(lookups, ...unknown, ...odd, ...patterns);

/**
 * Retrievals of nobody that show a user of the run: other steps send the same among valid reads, with which they may be
 * mixed up.
 */
const withUser = part(({ record, bad, creations }) => {
  const emails = creations.filter(({ fate }) => fate === 'must').map(({ user }) => JSON.stringify(user.email));
  const isOfNobody = (one: Exchange) =>
    bad.has(one.id) && one.request.method === 'GET' && isAuthorised(one) && isSuccess(one);
  // The answer may repeat the path, in which the email of a user with odd strings may stand by chance.
  return record.filter((one) => isOfNobody(one) && emails.some((email) => one.response?.body.includes(email)));
});

const mayBelong = (segment: string, whom: string) =>
  notApplicable(`${segment} may belong to ${whom}, whom the list shows without an identifier`);

/** The requirements by which such an identifier yields no user. One that may be the user's own does so by itself. */
const yieldsNoUser = <P>(found: P) => ({
  evidence: { found, all, withUser },
  check: ({ found, all, withUser }: Record<'found' | 'all', OrMissing<Lookup>[]> & { withUser: Exchange[] }) => {
    const others = present([...found, ...all]);
    return each(found, ({ what, segment, holds, mayBe, status, exchange }) => {
      const another = others.find((one) => one.mayBe === mayBe && one.segment !== segment);
      if (mayBe && !another) return mayBelong(shorten(segment, 40), mayBe);
      const got = holds === 'the list' ? holds : `${status} with ${holds}`;
      const second = mayBe ? another?.exchange : undefined;
      const same = withUser.find(({ request }) => holds === undefined && request.path === exchange.request.path);
      return of(`${what}: ${shorten(segment, 40)}`, [
        that(holds === undefined, 'no user', got, exchange, second),
        that(same === undefined, 'no user', 'a user of the run, among valid retrievals', same),
      ]);
    });
  },
});
const hasStatus =
  (least: number, most: number) =>
  ({ what, status, exchange, mayBe }: Lookup): Finding[] => {
    if (mayBe) return [mayBelong('it', mayBe)];
    if (!isAnswered(exchange)) return [notVerified(`${exchange.failure}`, exchange)];
    const expected = least === most ? `status ${least}` : 'a 4xx status';
    return of(what, that(status >= least && status <= most, expected, `${status}`, exchange));
  };

/** What came of cases that a thorough run adds to. */
export const lookedFor = {
  unknown: drawn(lookups, ...unknown),
  odd: drawn(lookups, ...odd),
  patterns: drawn(lookups, ...patterns),
  oddOrPatterns: drawn(lookups, ...odd, ...patterns),
};

const noUser = yieldsNoUser(lookedFor.unknown);

export const unknownUsers = chapter('Retrieve a user', [
  must('retrieve.unknown', rule('7.1'), {
    sentence: 'An identifier that belongs to nobody returns no user.',
    evidence: { ...noUser.evidence, around: refusalsAround, users: yieldOf(firstUsers) },
    check: ({ found, all, withUser, around, users }) => [
      ...noUser.check({ found, all, withUser }),
      ...each(around, ({ what, when, ok, exchange, records }) => {
        const held = what === 'nobody' && ok ? records.get(users.first.read?.path ?? '') : undefined;
        return that(held === undefined, 'no user', `${exchange.response?.status} with ${held} ${when}`, exchange);
      }),
    ],
  }),

  must('retrieve.odd', rule('7.1'), {
    sentence:
      'An odd identifier (null, undefined, a quote, a percent sign, NUL, a slash, 4,000 letters) returns no user.',
    ...yieldsNoUser(lookedFor.odd),
  }),

  must('retrieve.pattern', rule('7.1'), {
    sentence: 'An identifier that a lookup may read as a pattern, an index or a query returns no user.',
    ...yieldsNoUser(lookedFor.patterns),
  }),

  should('retrieve.unknown-status', rfc(9110, '15.5.5'), {
    sentence: 'A request for an identifier that belongs to nobody gets a 404.',
    ...ofEach({ found: lookedFor.unknown }, hasStatus(404, 404)),
  }),

  should('retrieve.odd-status', rfc(9110, '15.5'), {
    sentence: 'A request for an odd identifier gets a 4xx status.',
    ...ofEach({ found: lookedFor.oddOrPatterns }, hasStatus(400, 499)),
  }),
]);
