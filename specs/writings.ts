import { hash } from 'node:crypto';
import type { Operation } from '../src/history/history.ts';
import type { Request } from '../src/http/exchange.ts';
import { linesOf } from '../src/http/lists.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  onEach,
  RETRIEVE,
  type UserKind,
  withBody,
  withHeaders,
} from '../src/requirement/case.ts';
import { MEDIA_TYPE_IN_CAPITALS } from './media-types.ts';
import { LONGEST_BODY } from './plain-users.ts';

/** Sends the same request in several packets, in chunks, or on a kind of connection. */
const withTransport =
  (transport: Pick<Request, 'framing' | 'connection'>): Change =>
  (usual) => ({ ...usual, ...transport });

export const inSeveralPackets = withTransport({ framing: 'packets' });
export const inChunks = withTransport({ framing: 'chunked' });

const withNamesInCapitals: Change = (usual) => {
  const headers = Object.entries(usual.headers).map(([name, value]) => [name.toUpperCase(), value]);
  return { ...usual, headers: Object.fromEntries(headers) };
};

/** Sends the key after all other headers: a server may drop headers beyond a number. */
const withKeyLast: Change = (usual) => {
  const { authorization, ...headers } = usual.headers;
  if (authorization === undefined) return usual;
  return { ...usual, headers: { ...headers, authorization } };
};

const FURTHER_HEADERS: Record<string, string> = Object.fromEntries(
  linesOf('words/further-headers', import.meta.url).map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  }),
);

/** Sends as many headers as a browser behind several tracing tools: 40 lines in all. */
const withFurtherHeaders = (coding: string, language: string, traceFlags: '00' | '01') =>
  withHeaders({
    'accept-encoding': coding,
    'accept-language': language,
    traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${traceFlags}`,
    baggage: 'userId=alice',
    ...FURTHER_HEADERS,
  });

/** Sends a different Idempotency-Key with each body, as a client does that may retry. */
const withIdempotencyKey: Change = (usual, context) => {
  const digest = hash('sha1', usual.body ?? '');
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  return withHeaders({ 'idempotency-key': uuid })(usual, context);
};

const TYPE = { 'content-type': 'application/json' };

const withoutAccept = (languages: string): [name: string, change: Change] => [
  `no Accept, Accept-Encoding: gzip, Accept-Language: ${languages}, a Content-Type, header names in upper case`,
  inTurn(
    withHeaders({
      accept: undefined,
      ...TYPE,
      'accept-encoding': 'gzip',
      'accept-language': languages,
    }),
    withNamesInCapitals,
  ),
];

const withManyHeaders = (coding: string, language: string): [name: string, change: Change] => [
  `Accept: */*, Accept-Encoding: ${coding}, Accept-Language: ${language}, traceparent and others`,
  inTurn(withHeaders({ accept: '*/*' }), withFurtherHeaders(coding, language, '01'), withKeyLast),
];

const withAccept = (accept: string): [name: string, change: Change] => [
  `Accept: ${accept}, a new connection`,
  inTurn(withHeaders({ accept }), withTransport({ connection: 'new' })),
];

/** Java's HTTP client adds these headers to its first request (RFC 7540, section 3.2). */
export const UPGRADE = {
  connection: 'Upgrade, HTTP2-Settings',
  upgrade: 'h2c',
  'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
};

/** Ways in which clients send reads. Only codings that the suite can decode are accepted. */
const READS: [name: string, change: Change][] = [
  // In these languages the family name precedes the given name.
  withoutAccept('hu, ja;q=0.9, zh;q=0.8'),
  // In Turkish, the capital form of i is not I.
  withoutAccept('tr-TR, tr;q=0.9, *;q=0.5'),
  withManyHeaders('gzip, deflate, br', 'zh-Hans-CN, *;q=0.5'),
  withManyHeaders('gzip, br, identity;q=0.5', 'ja-JP'),
  withManyHeaders('gzip, br', 'fr-CH, fr;q=0.9, *;q=0.5'),
  withManyHeaders('br', 'pt-BR, pt;q=0.9'),
  withManyHeaders('deflate, gzip;q=0.1, br;q=0.1', 'ar, de-CH;q=0.1'),
  withAccept('application/*;q=0.8, */*;q=0.1'),
  withAccept('application/json, application/problem+json, application/xml;q=0.5'),
  withAccept('text/html;q=0.1,application/json,text/plain;q=0.2,application/xml;q=0.3'),
  withAccept('application/json;charset=utf-8, */*;q=0.5'),
  withAccept('application/json;q=0.9, text/csv;q=0.1, application/xml;q=0.1, text/html;q=0.1'),
  withAccept(
    'application/vnd.api+json;q=0.5, application/json, application/hal+json;q=0.5, text/csv;q=0.2',
  ),
  ['Upgrade: h2c', withHeaders(UPGRADE)],
];

/** The first reads are sent for the list and for a user, each of the others for one of them. */
const SENT_FOR_BOTH = 4;

export const rewrittenReads: Case[] = READS.flatMap(([name, change], index) =>
  onEach(name, change, { operations: operationsFor(index), phase: 'valid', known: 'first' }),
);

function operationsFor(index: number): Operation[] {
  if (index < SENT_FOR_BOTH) return [LIST, RETRIEVE];
  return [index % 2 === 0 ? LIST : RETRIEVE];
}

/**
 * Lists that are requested again after the list has changed: a cache may hold the older response to
 * these headers.
 */
export const laterLists: Case[] = [
  ...[READS[2], READS[5], READS[8], READS[12]].flatMap((row): Case[] => {
    if (row === undefined) return [];
    const [name, change] = row;
    return [{ name: `${name}, at the end`, operation: LIST, phase: 'valid at the end', change }];
  }),
  {
    name: 'If-None-Match with the ETag of an older list',
    operation: LIST,
    phase: 'valid at the end',
    change: (usual, context) => {
      const { listTag } = context;
      if (listTag === undefined) return undefined;
      return withHeaders({ 'if-none-match': listTag })(usual, context);
    },
  },
];

/**
 * Escapes all characters outside ASCII in the body, as many libraries do: those beyond 16 bits as
 * two escapes.
 */
export const escaped: Change = (usual) => {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return { ...usual, body: (usual.body ?? '').replaceAll(/[\u0080-\uffff]/g, escapeUnit) };
};

const MEMBER = '{"email"';
// The digits of an escape may have either case.
const ESCAPED_MEMBER = '{"e\\u006Dai\\u006c"';
const ALWAYS_ESCAPED = '@ ';

/** Characters by which an escape is longer than its letter. */
const ESCAPE_GROWTH = 5;

/**
 * Writes a user with escapes for @, the space, and some letters. The body stays as short as that of
 * a plain user.
 */
function withEscapes(user: { email: string; name: string }): string {
  const rest = JSON.stringify(user).slice(MEMBER.length);
  const available = LONGEST_BODY - ESCAPED_MEMBER.length - rest.length;
  const escapes = Math.floor(available / ESCAPE_GROWTH) - ALWAYS_ESCAPED.length;
  const letters = rest.match(/[a-z]/gi)?.length ?? 0;
  const interval = Math.ceil(letters / Math.max(1, escapes));
  let count = 0;
  const escapedRest = rest.replaceAll(/[a-z@ ]/gi, (letter) => {
    count += 1;
    const isEscaped = ALWAYS_ESCAPED.includes(letter) || count % interval === 0;
    return isEscaped ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter;
  });
  return ESCAPED_MEMBER + escapedRest;
}

const creation = (name: string, change: Change, user?: UserKind): Case => ({
  name,
  operation: CREATE,
  change,
  phase: 'valid',
  expected: 'created',
  ...(user && { user }),
});

/** A user with a short email, which leaves room for white space and escapes. */
const shortUser = (name: NonNullable<UserKind['name']>): UserKind => ({
  email: ({ tag, domain }) => tag + domain,
  name,
});

const accept = (value: string | undefined) => withHeaders({ accept: value });

export const rewrittenCreations: Case[] = [
  creation(
    'Accept-Encoding, Accept-Language, traceparent, Idempotency-Key and others',
    inTurn(
      withFurtherHeaders('gzip, deflate, br', 'tr-TR, en;q=0.5', '00'),
      withIdempotencyKey,
      withKeyLast,
    ),
    // In Turkish, the small form of I is not i.
    { email: ({ tag, domain }) => `ingrid.${tag}${domain}` },
  ),
  creation('no Accept', accept(undefined)),
  creation(
    // Both creations with these headers must be carried out: the headers don't mark a repeated
    // request.
    'Accept: */*, Accept-Encoding: identity, Accept-Language: *, traceparent and others once more',
    inTurn(accept('*/*'), withFurtherHeaders('identity', '*', '00')),
  ),
  creation(
    'an Accept of any application type, and an address with a date in it',
    accept('application/*;q=0.8, */*;q=0.1'),
    { email: ({ tag, domain }) => `born.2024.01.31.${tag}${domain}` },
  ),
  creation('header names in upper case', withNamesInCapitals),
  creation(
    'white space and another order of members',
    withBody(
      ({ email, name }) =>
        `\n\t {\r\n\t"name" : ${JSON.stringify(name)} ,\n  "email":${JSON.stringify(email)} }\n`,
    ),
    shortUser(({ word }) => `${word} B`),
  ),
  creation(
    'escaped letters, Accept: application/*',
    inTurn(accept('application/*'), withBody(withEscapes)),
    shortUser(({ word }) => `${word} Larsson`),
  ),
  creation(
    'head and body in several packets, an Accept with XML and HTML before JSON',
    inTurn(accept('application/xml;q=0.4, text/html;q=0.5, application/json'), inSeveralPackets),
  ),
  creation(
    'a reused connection, Accept: application/json, text/plain, */*',
    inTurn(accept('application/json, text/plain, */*'), withTransport({ connection: 'kept' })),
  ),
];

export const chunkedCreation = creation('a chunked body', inChunks);
export const mediaTypeCreation = creation(
  'a media type in capital letters, with a charset',
  withHeaders({ 'content-type': MEDIA_TYPE_IN_CAPITALS }),
);
