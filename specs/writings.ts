import { hash } from 'node:crypto';
import type { Request } from '../src/http/exchange.ts';
import { someOf } from '../src/plan/step.ts';
import { ifChanged, listWritten, type WritingCase, writtenRetrievals } from '../src/plan/steps/reads.ts';
import { groups, kept, type UserCase } from '../src/plan/steps/users.ts';
import type { UserKind } from '../src/plan/users.ts';
import { LONGEST_BODY, lastWord, PLAIN_KINDS } from './plain-users.ts';
import { drawn } from './requirement.ts';
import { header, lines, named } from './words.ts';

export type Write = (request: Request) => Request;

/** With other headers, and without those that are undefined; maybe in other packets or on another connection. */
export const withHeaders =
  (headers: Record<string, string | undefined>, how: Pick<Request, 'framing' | 'connection'> = {}): Write =>
  (request) => {
    const all = Object.entries({ ...request.headers, ...headers });
    const sent = all.filter((one): one is [string, string] => one[1] !== undefined);
    return { ...request, ...how, headers: Object.fromEntries(sent) };
  };
const inCapitals: Write = (request) => {
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toUpperCase(), value]);
  return { ...request, headers: Object.fromEntries(headers) };
};
export const inSeveralPackets = withHeaders({}, { framing: 'packets' });
const inTurn =
  (...writes: Write[]): Write =>
  (request) =>
    writes.reduce((sent, write) => write(sent), request);
/** The key behind all other headers: a server may drop what comes after so many. */
const keyLast: Write = ({ headers: { authorization, ...others }, ...request }) => {
  return { ...request, headers: { ...others, ...(authorization !== undefined && { authorization }) } };
};

/** As many as a browser behind several tracing tools sends: with all others 40 lines. */
const furtherHeaders = (coding = 'gzip, deflate, br', language = 'tr-TR, en;q=0.5', flags = '00') => ({
  'accept-encoding': coding,
  'accept-language': language,
  traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`,
  baggage: 'userId=alice',
  ...Object.fromEntries(lines('further-headers').map(header)),
});
/** A key of its own for each body, as a client sends it who may try again. */
const withIdempotencyKey: Write = (request) => {
  const digest = hash('sha1', request.body ?? '');
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  return withHeaders({ 'idempotency-key': uuid })(request);
};

/** Headers that change nothing. */
export const anyHeaders: WritingCase[] = [
  {
    what: 'Accept-Encoding, Accept-Language, traceparent, Idempotency-Key and others',
    write: inTurn(withHeaders(furtherHeaders()), withIdempotencyKey, keyLast),
  },
  { what: 'no Accept', write: withHeaders({ accept: undefined }) },
  {
    // Two creations have all of these: none is what tells them apart.
    what: 'Accept: */*, Accept-Encoding: identity, Accept-Language: *, traceparent and others once more',
    write: withHeaders({ accept: '*/*', ...furtherHeaders('identity', '*') }),
  },
  { what: 'an Accept of any application type', write: withHeaders({ accept: 'application/*;q=0.8, */*;q=0.1' }) },
];

const TYPE = { 'content-type': 'application/json' };
/** In the former a family name stands before a given name, in the latter a capital I is no i in capitals. */
const [FAMILY_FIRST, TURKISH] = ['hu, ja;q=0.9, zh;q=0.8', 'tr-TR, tr;q=0.9, *;q=0.5'];
const withoutAccept = (languages: string): WritingCase => ({
  what: `no Accept, Accept-Encoding: gzip, Accept-Language: ${languages}, a Content-Type, header names in upper case`,
  write: inTurn(
    withHeaders({ accept: undefined, ...TYPE, 'accept-encoding': 'gzip', 'accept-language': languages }),
    inCapitals,
  ),
});
/** No coding that the suite can't decode: a service may use any that is asked for. */
const FURTHER = named('codings-and-languages').map(
  ([coding, language]): WritingCase => ({
    what: `Accept: */*, Accept-Encoding: ${coding}, Accept-Language: ${language}, traceparent and others`,
    write: inTurn(withHeaders({ accept: '*/*', ...furtherHeaders(coding, language, '01') }), keyLast),
  }),
);
const ACCEPTS = lines('common-accept').map(
  (accept): WritingCase => ({
    what: `Accept: ${accept}, a new connection`,
    write: withHeaders({ accept }, { connection: 'new' }),
  }),
);

/** Requests for the list and for a user, as some client writes each of them: the last two in each run other ones. */
export const listWritings = [withoutAccept(FAMILY_FIRST), ...someOf(FURTHER), ...someOf(ACCEPTS)];
/** At the end, because the list must have changed since. */
export const changedList: WritingCase = { what: 'If-None-Match with the ETag of an older list', write: ifChanged };

/** With another writing of the user. */
export const withBody =
  (write: (user: { email: string; name: string }) => string): Write =>
  (request) => ({ ...request, body: write(JSON.parse(request.body as string)) });

/** Letters outside ASCII as many libraries write them; those beyond 16 bits in two parts. */
export const escaped: Write = ({ body = '', ...request }) => {
  const unit = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return { ...request, body: body.replaceAll(/[\u0080-\uffff]/g, unit) };
};

/**
 * A user as JSON, with escapes for @, the space, and as many letters as leave it no longer than a body that every
 * service accepts.
 */
function withEscapes(user: { email: string; name: string }): string {
  const rest = JSON.stringify(user).slice(MEMBER.length);
  // An escape adds five characters to a letter.
  const room = Math.floor((LONGEST_BODY - ESCAPED_MEMBER.length - rest.length) / 5) - SIGNS.length;
  const every = Math.ceil((rest.match(/[a-z]/gi)?.length ?? 0) / Math.max(1, room));
  let seen = 0;
  const escaped = rest.replaceAll(/[a-z@ ]/gi, (letter) => {
    seen += 1;
    const isEscaped = SIGNS.includes(letter) || seen % every === 0;
    return isEscaped ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter;
  });
  return ESCAPED_MEMBER + escaped;
}
// Both cases of the digits mean the same.
const [MEMBER, ESCAPED_MEMBER] = ['{"email"', '{"e\\u006Dai\\u006c"'];
const SIGNS = '@ ';

/** Creations, the same. Where the body is written as usual, each is of another kind of plain user. */
const creation = (what: string, write: Write, kind?: UserKind): UserCase => {
  return { what, fate: 'must', write, ...(kind && { kind }) };
};
const short = (name: NonNullable<UserKind['name']>): UserKind => {
  return { what: 'a short user', email: ({ tag, domain }) => tag + domain, name };
};

export const inCapitalLetters = creation('header names in upper case', inCapitals, PLAIN_KINDS[0]);
const writtenBodies: UserCase[] = [
  creation(
    'white space and another order of members',
    withBody(
      ({ email, name }) => `\n\t {\r\n\t"name" : ${JSON.stringify(name)} ,\n  "email":${JSON.stringify(email)} }\n`,
    ),
    short(({ word }) => `${word} Q`),
  ),
  creation(
    'escaped letters, Accept: application/*',
    inTurn(withHeaders({ accept: 'application/*' }), withBody(withEscapes)),
    short((own) => lastWord(own, 7, 20)),
  ),
];
const inPackets: UserCase[] = [
  creation(
    'head and body in several packets, an Accept with XML and HTML before JSON',
    withHeaders({ accept: 'application/xml;q=0.4, text/html;q=0.5, application/json' }, { framing: 'packets' }),
    PLAIN_KINDS[3],
  ),
  creation(
    'a reused connection, Accept: application/json, text/plain, */*',
    withHeaders({ accept: 'application/json, text/plain, */*' }, { connection: 'kept' }),
    PLAIN_KINDS[4],
  ),
];

/** Writings of which a standard alone speaks. */
const ofStandard = (...parts: Parameters<typeof creation>): UserCase => ({ ...creation(...parts), optional: true });
export const inChunks = ofStandard('a chunked body', withHeaders({}, { framing: 'chunked' }), PLAIN_KINDS[2]);
export const otherMediaType = ofStandard(
  'a media type in capital letters, with a charset',
  withHeaders({ 'content-type': 'Application/JSON; Charset=UTF-8' }),
  PLAIN_KINDS[1],
);

/** All of them, in the order in which they are sent: after requests that are refused, and after malformed ones. */
export const writtenCreations: UserCase[] = [inCapitalLetters, otherMediaType, inChunks];
const laterWrittenCreations = [...writtenBodies, ...inPackets];

/** What came of requests in other writings; a thorough run adds to most of it. */
export const rewritten = {
  lists: drawn(listWritten, ...listWritings),
  retrievals: drawn(writtenRetrievals, withoutAccept(TURKISH), ...someOf(FURTHER, 1, 1), ...someOf(ACCEPTS, 1, 1)),
  created: drawn(groups.laterWritten.creations, ...laterWrittenCreations),
  chunks: drawn(groups.laterWritten.creations),
  mediaTypes: drawn(groups.laterWritten.creations),
  /** Users who were created so, and retrieved. */
  bodies: drawn(kept(groups.laterWritten), ...writtenBodies),
  packets: drawn(kept(groups.laterWritten), ...inPackets),
  kept: kept(groups.written)(...writtenCreations),
  keptFurther: kept(groups.laterWritten)(...laterWrittenCreations),
};
