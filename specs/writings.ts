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

/** The same request in several packets, in chunks, or on a kind of connection. */
const sent =
  (how: Pick<Request, 'framing' | 'connection'>): Change =>
  (usual) => ({ ...usual, ...how });

export const inSeveralPackets = sent({ framing: 'packets' });
export const inChunks = sent({ framing: 'chunked' });

const inCapitals: Change = (usual) => {
  const headers = Object.entries(usual.headers).map(([name, value]) => [name.toUpperCase(), value]);
  return { ...usual, headers: Object.fromEntries(headers) };
};

/** The key behind all other headers: a server may drop what comes after so many. */
const keyLast: Change = (usual) => {
  const { authorization, ...others } = usual.headers;
  return {
    ...usual,
    headers: { ...others, ...(authorization !== undefined && { authorization }) },
  };
};

const FURTHER: Record<string, string> = Object.fromEntries(
  linesOf('words/further-headers', import.meta.url).map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  }),
);

/** As many headers as a browser behind several tracing tools sends: with all others 40 lines. */
const furtherHeaders = (coding: string, language: string, flags = '00') =>
  withHeaders({
    'accept-encoding': coding,
    'accept-language': language,
    traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`,
    baggage: 'userId=alice',
    ...FURTHER,
  });

/** A key of its own for each body, as a client sends it that may retry. */
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
    inCapitals,
  ),
];

const further = (coding: string, language: string): [name: string, change: Change] => [
  `Accept: */*, Accept-Encoding: ${coding}, Accept-Language: ${language}, traceparent and others`,
  inTurn(withHeaders({ accept: '*/*' }), furtherHeaders(coding, language, '01'), keyLast),
];

const withAccept = (accept: string): [name: string, change: Change] => [
  `Accept: ${accept}, a new connection`,
  inTurn(withHeaders({ accept }), sent({ connection: 'new' })),
];

/** Retrievals and lists, as some client writes each of them. No coding is asked for that the suite can't decode. */
const READS: [name: string, change: Change][] = [
  // A family name stands before a given name.
  withoutAccept('hu, ja;q=0.9, zh;q=0.8'),
  // A capital I is no i in capitals.
  withoutAccept('tr-TR, tr;q=0.9, *;q=0.5'),
  further('gzip, deflate, br', 'zh-Hans-CN, *;q=0.5'),
  further('gzip, br, identity;q=0.5', 'ja-JP'),
  further('gzip, br', 'fr-CH, fr;q=0.9, *;q=0.5'),
  further('br', 'pt-BR, pt;q=0.9'),
  further('deflate, gzip;q=0.1, br;q=0.1', 'ar, de-CH;q=0.1'),
  withAccept('application/*;q=0.8, */*;q=0.1'),
  withAccept('application/json, application/problem+json, application/xml;q=0.5'),
  withAccept('text/html;q=0.1,application/json,text/plain;q=0.2,application/xml;q=0.3'),
  withAccept('application/json;charset=utf-8, */*;q=0.5'),
  withAccept('application/json;q=0.9, text/csv;q=0.1, application/xml;q=0.1, text/html;q=0.1'),
  withAccept(
    'application/vnd.api+json;q=0.5, application/json, application/hal+json;q=0.5, text/csv;q=0.2',
  ),
];

/** Writings that are sent for the list and for a user; of the others each takes one. */
const SENT_FOR_BOTH = 4;

export const rewrittenReads: Case[] = READS.flatMap(([name, change], at) => {
  const operations = at < SENT_FOR_BOTH ? [LIST, RETRIEVE] : [at % 2 === 0 ? LIST : RETRIEVE];
  return onEach(name, change, {
    operations: operations as Operation[],
    phase: 'valid',
    known: 'first',
  });
});

/** Lists that are requested again at the end, because the list has changed since: a response may be kept by a header. */
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
      return listTag === undefined
        ? undefined
        : withHeaders({ 'if-none-match': listTag })(usual, context);
    },
  },
];

/** Letters outside ASCII as many libraries write them; those beyond 16 bits in two parts. */
export const escaped: Change = (usual) => {
  const unit = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return { ...usual, body: (usual.body ?? '').replaceAll(/[\u0080-\uffff]/g, unit) };
};

const MEMBER = '{"email"';
// Both cases of the digits mean the same.
const ESCAPED_MEMBER = '{"e\\u006Dai\\u006c"';
const ALWAYS_ESCAPED = '@ ';

/** An escape has five characters more than a letter. */
const ESCAPE = 5;

/** Escapes for @, the space, and as many letters as leave the body no longer than one that every service accepts. */
function withEscapes(user: { email: string; name: string }): string {
  const rest = JSON.stringify(user).slice(MEMBER.length);
  const room =
    Math.floor((LONGEST_BODY - ESCAPED_MEMBER.length - rest.length) / ESCAPE) -
    ALWAYS_ESCAPED.length;
  const every = Math.ceil((rest.match(/[a-z]/gi)?.length ?? 0) / Math.max(1, room));
  let seen = 0;
  const text = rest.replaceAll(/[a-z@ ]/gi, (letter) => {
    seen += 1;
    const isEscaped = ALWAYS_ESCAPED.includes(letter) || seen % every === 0;
    return isEscaped ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter;
  });
  return ESCAPED_MEMBER + text;
}

const creation = (name: string, change: Change, user?: UserKind): Case => ({
  name,
  operation: CREATE,
  change,
  phase: 'valid',
  expected: 'created',
  ...(user && { user }),
});

/** A short user leaves room for white space and escapes. */
const short = (name: NonNullable<UserKind['name']>): UserKind => ({
  email: ({ tag, domain }) => tag + domain,
  name,
});

const accept = (value: string | undefined) => withHeaders({ accept: value });

export const rewrittenCreations: Case[] = [
  creation(
    'Accept-Encoding, Accept-Language, traceparent, Idempotency-Key and others',
    inTurn(furtherHeaders('gzip, deflate, br', 'tr-TR, en;q=0.5'), withIdempotencyKey, keyLast),
    // Capital and small i are two letters each in Turkish.
    { email: ({ tag, domain }) => `ingrid.${tag}${domain}` },
  ),
  creation('no Accept', accept(undefined)),
  creation(
    // Two creations have all of these headers: none of them tells two requests apart.
    'Accept: */*, Accept-Encoding: identity, Accept-Language: *, traceparent and others once more',
    inTurn(accept('*/*'), furtherHeaders('identity', '*')),
  ),
  creation(
    'an Accept of any application type, and an address with a date in it',
    accept('application/*;q=0.8, */*;q=0.1'),
    { email: ({ tag, domain }) => `born.2024.01.31.${tag}${domain}` },
  ),
  creation('header names in upper case', inCapitals),
  creation(
    'white space and another order of members',
    withBody(
      ({ email, name }) =>
        `\n\t {\r\n\t"name" : ${JSON.stringify(name)} ,\n  "email":${JSON.stringify(email)} }\n`,
    ),
    short(({ word }) => `${word} B`),
  ),
  creation(
    'escaped letters, Accept: application/*',
    inTurn(accept('application/*'), withBody(withEscapes)),
    short(({ word }) => `${word} Larsson`),
  ),
  creation(
    'head and body in several packets, an Accept with XML and HTML before JSON',
    inTurn(accept('application/xml;q=0.4, text/html;q=0.5, application/json'), inSeveralPackets),
  ),
  creation(
    'a reused connection, Accept: application/json, text/plain, */*',
    inTurn(accept('application/json, text/plain, */*'), sent({ connection: 'kept' })),
  ),
];

export const chunkedCreation = creation('a chunked body', inChunks);
export const mediaTypeCreation = creation(
  'a media type in capital letters, with a charset',
  withHeaders({ 'content-type': MEDIA_TYPE_IN_CAPITALS }),
);
