import { KEY } from '../src/http/key.ts';
import { inTurns, someOf } from '../src/plan/step.ts';
import { type CredentialCase, MARK, type Operation } from '../src/plan/steps/credentials.ts';
import type { SeveralCase } from '../src/plan/steps/several-places.ts';
import { CREATE, LIST, OPERATIONS, RETRIEVE, without } from './authentication.ts';
import { header, lines, words } from './thorough/words.ts';

type Parts = Partial<CredentialCase>;

/** How the key is written under some names, in each kind of place. */
const WRITES: Record<string, (names: string[]) => Parts> = {
  query: (names) => ({ query: `?${names.map((name) => `${name}=${KEY}`).join('&')}` }),
  header: (names) => ({
    headers: Object.fromEntries(
      names.map((name) => [name.toLowerCase(), /auth(oriz|entic)/i.test(name) ? `Bearer ${KEY}` : KEY]),
    ),
  }),
  cookie: (names) => ({ headers: { cookie: names.map((name) => `${name}=${KEY}`).join('; ') } }),
  body: (names) => ({ members: Object.fromEntries(names.map((name) => [name, KEY])) }),
};

/** In so many shares go what is less usual: each operation has one of them, and in each run another one. */
const SHARES = 6;
/** The first of all, and a share of the others: servers limit the number of headers, often to a hundred. */
const shared = <T>(all: readonly T[], first: number, share: number): T[] =>
  all.filter((_, place) => place < first || place % SHARES === share);

// A proxy on the way keeps what is for itself, and the client sends it through none: it goes alone.
const keyHeaders = words('key-headers').filter((name) => name !== 'Proxy-Authorization');

const parameters = words('key-parameters');
const cookies = words('key-cookies');

/** The names that are tried, the usual ones first, and how many these are. */
const namesOf = (share: number): Record<string, [usual: number, all: string[]]> => ({
  query: [2, shared(parameters, 12, share)],
  header: [2, shared(keyHeaders, 14, share)],
  // One alone, too: a service may compare the whole header.
  cookie: [1, share % 2 === 0 ? ['access_token'] : cookies],
  body: [2, shared(parameters, 12, share)],
});

/** Headers that a proxy, a framework or a test sets, and that a service may trust. */
export const trustedLines = [...lines('trusted-headers'), ...lines('further-trusted-headers')];
/** Those that only say who asks or from where: many of them go together. The others may change what is asked for. */
export const isHarmless = (line: string) =>
  !/^[^:]*(url|uri|path|prefix|method|accept|range|if-|cache|destination|host|redirect|content)/i.test(line);
const ofOneValue = trustedLines.filter((line) => isHarmless(line) && !/^(cookie|[^:]*version)/i.test(line));
/** Of each the first value. */
const harmless = [...new Map(ofOneValue.map(header).reverse())].reverse();

const ofCreations: [what: string, parts: Parts][] = [
  // Of a GET it would make something else.
  ['X-HTTP-Method-Override: GET', { headers: { 'x-http-method-override': 'GET' } }],
  ['the Idempotency-Key of an accepted creation', { headers: { 'idempotency-key': MARK.idempotencyKey } }],
];

/** What a proxy sets, and a service behind it may trust. */
const trusted = (operation: Operation): [what: string, parts: Parts][] => [
  [
    'X-Forwarded-For: 127.0.0.1, X-Forwarded-User and X-Remote-User',
    // A chain of addresses where the first of them alone is tried elsewhere.
    {
      headers: {
        'x-forwarded-for': operation === LIST ? '127.0.0.1' : '127.0.0.1, 10.0.0.1, 192.168.1.1',
        'x-forwarded-user': 'admin',
        'x-remote-user': 'admin',
      },
    },
  ],
  [
    'X-Original-URL, X-Original-URI and X-Forwarded-URI with another path',
    { headers: { 'x-original-url': '/', 'x-original-uri': '/', 'x-forwarded-uri': '/' } },
  ],
  [
    'Origin and Access-Control-Request-Method',
    { headers: { origin: 'http://localhost', 'access-control-request-method': 'GET' } },
  ],
  ...(operation === CREATE ? ofCreations : []),
];

/** The key under some names, in a kind of place: the query, a header, a cookie, or the body. */
export const keyUnder = (operation: Operation, kind: string, names: string[]): CredentialCase =>
  without(operation, `the key in the ${kind} as ${names.join(' and ')}`, { ...WRITES[kind]?.(names), kind });

function severalOn(operation: Operation, share: number): SeveralCase {
  const kinds = Object.entries(namesOf(share)).filter(([kind]) => kind !== 'body' || operation === CREATE);
  const parts = [
    ...kinds.map(([kind, [usual, all]]) => keyUnder(operation, kind, all.slice(0, usual))),
    ...trusted(operation).map(([what, one]) => without(operation, what, { ...one, kind: 'proxy' })),
  ];
  const rare = [
    ...kinds.flatMap(([kind, [usual, all]]) => all.slice(usual).map((name) => keyUnder(operation, kind, [name]))),
    ...shared(harmless, 28, share).map(([name, value]) =>
      without(operation, `${name}: ${value}`, { headers: { [name]: value }, kind: 'proxy' }),
    ),
  ];
  const wholes = kinds.map(([kind, [, all]]) => WRITES[kind]?.(all));
  const headers = Object.assign({}, ...[...rare, ...parts, ...wholes].map((one) => one?.headers));
  const whole = Object.assign({}, ...wholes, { headers });
  return { ...without(operation, 'the key in many places but the Authorization header', whole), parts, rare };
}

/** All of it at once, on each operation. */
export const everywhere = OPERATIONS.flatMap((one, place) => {
  const shares = Array.from({ length: SHARES }, (_, share) => severalOn(one, share));
  return someOf(shares, 1, place);
});

/** What can't go together with others: a proxy on the way may keep the header, and another path is asked for. */
export const inProxyHeader = OPERATIONS.map((one) =>
  without(one, 'the key in Proxy-Authorization', { headers: { 'proxy-authorization': `Bearer ${KEY}` } }),
);
const rewriting = {
  what: 'X-Original-URL and X-Rewrite-URL with the path',
  headers: { 'x-original-url': MARK.path, 'x-rewrite-url': MARK.path },
  spelling: () => '/',
};
const hosts = ['localhost', '127.0.0.1', 'internal'].map((host) => ({ what: `Host: ${host}`, headers: { host } }));
export const rewritten = [
  without(LIST, rewriting.what, rewriting),
  ...inTurns([without(RETRIEVE, 'another Host', {})], [rewriting, ...hosts]),
];
