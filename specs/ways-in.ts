import { KEY } from '../src/http/key.ts';
import { type CredentialCase, type Operation, PATH } from '../src/plan/steps/credentials.ts';
import type { SeveralCase } from '../src/plan/steps/several-places.ts';
import { CREATE, LIST, OPERATIONS, on, RETRIEVE, withoutKey } from './authentication.ts';
import { lines, words } from './thorough/words.ts';

type Parts = Partial<CredentialCase>;

/** A request that differs in one thing from one without the Authorization header. */
export const without = (operation: Operation, what: string, parts: Parts): CredentialCase =>
  on(operation, what, { unless: withoutKey(operation), ...parts });

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

/** The names that are tried, the usual ones first, and how many these are. */
const parameters = words('key-parameters').slice(0, 20);
// A proxy on the way keeps what is for itself, and the client sends it through none: it goes alone.
const headers = words('key-headers').filter((name) => name !== 'Proxy-Authorization');
const NAMES: Record<string, [usual: number, all: string[]]> = {
  query: [2, parameters],
  header: [2, ['X-Api-Key', 'X-Auth-Token', ...headers.slice(0, 30)]],
  // Alone: a service may compare the whole header.
  cookie: [1, ['access_token']],
  body: [2, parameters],
};

/** Headers that only say who asks, or from where, each with its first value. */
const harmless = new Map(
  lines('trusted-headers')
    .filter((line) =>
      /^[^:]*(ip|user|addr|for|admin|debug|internal|subrequest|trusted|auth|role|test|bypass|origin:|referer|verif|scope|gateway)/i.test(
        line,
      ),
    )
    .map((line) => line.split(': ') as [string, string])
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .reverse(),
);

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
  ['X-Original-URL with another path', { headers: { 'x-original-url': '/' } }],
  // Of a GET it would make something else.
  ...(operation === CREATE
    ? [['X-HTTP-Method-Override: GET', { headers: { 'x-http-method-override': 'GET' } }] as [string, Parts]]
    : []),
];

function severalOn(operation: Operation): SeveralCase {
  const kinds = Object.entries(NAMES).filter(([kind]) => kind !== 'body' || operation === CREATE);
  const inPlace = (kind: string, names: string[]) =>
    without(operation, `the key in the ${kind} as ${names.join(' and ')}`, { ...WRITES[kind]?.(names), kind });
  const parts = [
    ...kinds.map(([kind, [usual, all]]) => inPlace(kind, all.slice(0, usual))),
    ...trusted(operation).map(([what, one]) => without(operation, what, { ...one, kind: 'proxy' })),
  ];
  const rare = [
    ...kinds.flatMap(([kind, [usual, all]]) => all.slice(usual).map((name) => inPlace(kind, [name]))),
    ...[...harmless].map(([name, value]) =>
      without(operation, `${name}: ${value}`, { headers: { [name]: value }, kind: 'proxy' }),
    ),
  ];
  const wholes = kinds.map(([kind, [, all]]) => inPlace(kind, all));
  const headers = Object.assign({}, ...[...rare, ...parts, ...wholes].map((one) => one.headers));
  const whole = Object.assign({}, ...wholes, { headers });
  return { ...without(operation, 'the key in many places but the Authorization header', whole), parts, rare };
}

/** All of it at once, on each operation. */
export const everywhere = OPERATIONS.map(severalOn);

/** What can't go together with others: a proxy on the way may keep the header, and another path is asked for. */
export const inProxyHeader = OPERATIONS.map((one) =>
  without(one, 'the key in Proxy-Authorization', { headers: { 'proxy-authorization': `Bearer ${KEY}` } }),
);
export const rewritten = ([LIST, RETRIEVE] as const).map((one) =>
  without(one, 'X-Original-URL and X-Rewrite-URL with the path', {
    headers: { 'x-original-url': PATH, 'x-rewrite-url': PATH },
    spelling: () => '/',
  }),
);
