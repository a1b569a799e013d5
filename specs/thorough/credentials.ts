import { type Domain, members, onEach, oneOf, some } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import { KEY, keyChangedAt, keyForm } from '../../src/http/key.ts';
import { type Attempt, type CredentialCase, type Operation, WRONG_KEY } from '../../src/plan/steps/credentials.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import {
  CREATE,
  LIST,
  longerKeys,
  OPERATIONS,
  on,
  oneCharacterOff,
  openWithoutKey,
  otherSchemes,
  otherSyntaxes,
  RETRIEVE,
  withAnyKey,
  withoutCreate,
  withoutKey,
  withoutList,
  withoutRetrieve,
  wrongKeys,
} from '../authentication.ts';
import { keysInBody, keysInCookie, keysInOtherHeader, keysInQuery } from '../key-elsewhere.ts';
import { eachTrick, oneAtATime, severalTricks, type Tricked } from './operations.ts';
import { around } from './strings.ts';
import { lines, texts, words } from './words.ts';

/** Attempts without the documented credentials, which one requirement judges. */
export const attempts = <P>(declared: {
  what: string;
  params: Domain<P>;
  toCase: (params: P) => CredentialCase;
  perRound: number;
  part: DrawnPart<CredentialCase, Attempt>;
  smaller?: (params: P) => P[];
}): Topic => topic({ ...declared, reads: false, fills: [into(declared.part)] });

const withHeader = ({ operation, trick: authorization }: Tricked) =>
  on(operation, `Authorization: ${authorization}`, { headers: { authorization }, unless: withAnyKey(operation) });

/** What else stands behind the key: each sign but such as separate values of a header, letters, and much. */
const EXTENSIONS = [...'!#$%&*+-./:;=?@^_`|~\\0aAxZ', '==', '...', '%00', '\\n', KEY];
const MANY = around(3, 11).map((length) => 'x'.repeat(length));
const { basic, basicPassword, basicUser, base64, percentEncoded, ...forms } = keyForm;
const { cutAtEnd, cutAtStart, caseSwapped, withAccent, ...nearlyTheKey } = forms;
const KEY_FORMS = Object.values(nearlyTheKey);
const LONG = around(4, 11).map((length) => 'x'.repeat(length));
/** All places of a key of up to 48 characters. */
const changedAt = Array.from({ length: 48 }, (_, index) => (index < 24 ? index + 1 : 23 - index));

/** No key at all, or a wrong one, while many requests with the right one are under way. */
const amongOthers = { amongOthers: true } as const;
const noKey = 'no Authorization header, while others have one';
const needsKey: [Operation, DrawnPart<CredentialCase, Attempt>][] = [
  [LIST, withoutList],
  [CREATE, withoutCreate],
  [RETRIEVE, withoutRetrieve],
];

export const credentials: Topic[] = [
  attempts({
    what: 'other syntax of the header',
    params: eachTrick(texts('header-syntax')),
    toCase: withHeader,
    perRound: 42,
    part: otherSyntaxes,
  }),
  attempts({
    what: 'longer keys',
    params: eachTrick([...EXTENSIONS, ...MANY]),
    toCase: ({ operation, trick }) => withHeader({ operation, trick: `Bearer ${KEY}${trick}` }),
    perRound: 30,
    part: longerKeys,
  }),
  topic({
    what: 'tokens that are no key',
    params: eachTrick([...lines('tokens'), ...KEY_FORMS, ...LONG]),
    toCase: ({ operation, trick }) => withHeader({ operation, trick: `Bearer ${trick}` }),
    perRound: 50,
    reads: false,
    fills: [into(wrongKeys), into(openWithoutKey, ({ operation }: CredentialCase) => withoutKey(operation))],
  }),
  attempts({
    what: 'keys with one character changed',
    params: onEach(OPERATIONS, { place: oneOf(changedAt) }, changedAt.length),
    toCase: ({ operation, place }) => withHeader({ operation, trick: `Bearer ${keyChangedAt(place)}` }),
    perRound: 30,
    part: oneCharacterOff,
  }),
  attempts({
    what: 'other schemes',
    params: eachTrick(lines('schemes')),
    toCase: ({ operation, trick }) =>
      withHeader({ operation, trick: trick.includes('API_KEY') ? trick : `${trick} ${KEY}` }),
    perRound: 60,
    part: otherSchemes,
  }),
  attempts({
    what: 'places of the key in the query',
    params: severalTricks(words('key-parameters'), 12),
    toCase: ({ operation, tricks }) => {
      const query = `?${tricks.map((name) => `${name}=${KEY}`).join('&')}`;
      return on(operation, `the key in the query as ${tricks.join(', ')}`, { query, unless: withoutKey(operation) });
    },
    perRound: 5,
    part: keysInQuery,
    smaller: oneAtATime,
  }),
  attempts({
    what: 'other headers with the key',
    params: severalTricks(
      words('key-headers').flatMap((name) => [`${name}: ${KEY}`, `${name}: Bearer ${KEY}`]),
      8,
    ),
    toCase: ({ operation, tricks }) => {
      const headers = Object.fromEntries(tricks.map((line) => line.split(': ') as [string, string]));
      return on(operation, `the key in ${tricks.join(', ')}`, { headers, unless: withoutKey(operation) });
    },
    perRound: 14,
    part: keysInOtherHeader,
    smaller: oneAtATime,
  }),
  attempts({
    what: 'cookies with the key',
    params: severalTricks(words('key-cookies'), 8),
    toCase: ({ operation, tricks }) => {
      const cookie = tricks.map((name) => `${name}=${KEY}`).join('; ');
      const what = `the key in the cookies ${tricks.join(', ')}`;
      return on(operation, what, { headers: { cookie }, unless: withoutKey(operation) });
    },
    perRound: 4,
    part: keysInCookie,
    smaller: oneAtATime,
  }),
  attempts({
    what: 'places of the key in the body',
    params: members({ tricks: some(words('key-parameters'), 10) }),
    toCase: ({ tricks }) => {
      const further = Object.fromEntries(tricks.map((name) => [name, KEY]));
      const what = `the key in the body as ${tricks.join(', ')}`;
      return on(CREATE, what, { members: further, unless: withoutKey(CREATE) });
    },
    perRound: 4,
    part: keysInBody,
    smaller: oneAtATime,
  }),
  ...needsKey.map(([operation, part]) =>
    attempts({
      what: 'no key among many with one',
      params: members({ operation: oneOf([operation]) }),
      toCase: () => on(operation, noKey, { unless: withoutKey(operation), ...amongOthers }),
      perRound: 3,
      part,
    }),
  ),
  topic({
    what: 'a wrong key among many with the right one',
    params: members({ operation: oneOf(OPERATIONS) }),
    toCase: ({ operation }): CredentialCase => {
      const headers = { authorization: `Bearer ${WRONG_KEY}` };
      return on(operation, 'a wrong key', { headers, unless: withoutKey(operation), ...amongOthers });
    },
    perRound: 6,
    reads: false,
    fills: [into(wrongKeys), into(openWithoutKey, ({ unless }: CredentialCase) => unless)],
  }),
];
