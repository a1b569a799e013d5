import type { Topic } from '../../src/conduct/topic.ts';
import { type CredentialCase, type Operation, PATH } from '../../src/plan/steps/credentials.ts';
import { on, withoutKey } from '../authentication.ts';
import { otherSpellings, trustedHeaders } from '../guard.ts';
import { attempts } from './credentials.ts';
import { eachTrick, oneAtATime, severalTricks } from './operations.ts';
import { lines, words } from './words.ts';

// Spellings of a path that a guard may take for another than a router does. Dot segments are not sent.

const within: ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => path.replace('users', 'Users'),
  (path) => path.replace('users', 'userS'),
  (path) => path.replace('u', '%75'),
  (path) => path.replace('s', '%73'),
  (path) => path.replace('users', '%75%73%65%72%73'),
  (path) => path.replace('users', 'user%73'),
  (path) => path.replace('u', '%2575'),
  (path) => path.replace('/users', '%2Fusers'),
  (path) => path.replace('/users', '//users//'),
  (path) => path.replace('/users', '/users;x=1'),
  (path) => path.replace('/users', '/users;'),
  (path) => path.replace('/users/', '/users//'),
  (path) => path.replace('/users/', '/users/;/'),
  (path) => path.replace('/users/', '/users%2F'),
  (path) => path.replace('/users/', '/users\\'),
];
type Spelled = Pick<CredentialCase, 'spelling' | 'base' | 'query'>;
/** Of the base address, as `/v1`. */
const bases: ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => path.replace(/v1$/, '%761'),
  (path) => path.replace(/v1$/, '/v1'),
  (path) => path.replace(/v1$/, 'v1;x=1'),
  (path) => path.replace(/v1$/, 'v2'),
  (path) => path.replace(/\/v1$/, ''),
  (path) => path.replace(/v1$/, 'v1.0'),
  (path) => path.replace(/v1$/, 'api/v1'),
  (path) => path.replace(/v1$/, 'internal/v1'),
  (path) => path.replace(/v1$/, 'v1/v1'),
];
const spellings = new Map<string, Spelled>([
  ...words('path-ends').map((end): [string, Spelled] => [
    `${end} after the path`,
    { spelling: (path) => `${path}${end}` },
  ]),
  ...words('path-starts').map((start): [string, Spelled] => [
    `${start} before the path`,
    { spelling: (path) => `${start}${path}` },
  ]),
  ...within.map((spelling): [string, Spelled] => [`the path as ${spelling('/users/1')}`, { spelling }]),
  ...bases.map((base): [string, Spelled] => [`the base address as ${base('/v1') || '/'}`, { base }]),
  ...words('path-queries').map((query): [string, Spelled] => [`the query ${query}`, { query: `?${query}` }]),
]);

// Headers that a proxy, a framework or a test sets, and that a service may trust.

const trusted = lines('trusted-headers');
/** Headers that only say who asks or from where: many of them go together. The others may change what is asked for. */
const isHarmless = (line: string) =>
  !/^[^:]*(url|uri|path|prefix|method|accept|range|if-|cache|destination|host)/i.test(line);

const believed = (operation: Operation, some: string[]) => {
  const fields = some.map((line) => /^([^:]+): ?(.*)$/.exec(line) as unknown as [string, string, string]);
  const cookies = fields.flatMap(([, name, value]) => (name === 'Cookie' ? value : []));
  const headers: Record<string, string> = {
    ...Object.fromEntries(fields.map(([, name, value]) => [name, value])),
    // Of one name the last counts, but cookies have room for each other.
    ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
  };
  const spelling = Object.values(headers).includes(PATH) ? { spelling: () => '/' } : {};
  return on(operation, some.join(', '), { headers, unless: withoutKey(operation), ...spelling });
};

export const guard: Topic[] = [
  attempts({
    what: 'spellings of the path without the key',
    params: eachTrick([...spellings.keys()]),
    toCase: ({ operation, trick }) => on(operation, trick, { ...spellings.get(trick), unless: withoutKey(operation) }),
    perRound: 81,
    part: otherSpellings,
  }),
  attempts({
    what: 'headers of proxies without the key',
    params: eachTrick(trusted.filter((line) => !isHarmless(line))),
    toCase: ({ operation, trick }) => believed(operation, [trick]),
    perRound: 32,
    part: trustedHeaders,
  }),
  attempts({
    what: 'many headers of proxies without the key',
    params: severalTricks(trusted.filter(isHarmless), 10),
    toCase: ({ operation, tricks }) => believed(operation, tricks),
    perRound: 21,
    part: trustedHeaders,
    smaller: oneAtATime,
  }),
];
