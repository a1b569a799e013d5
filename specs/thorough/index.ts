import { type Case, isValidCase } from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import type { Thorough } from '../../src/thorough/explore.ts';
import { noKey, noToken, wrongKey } from '../credentials.ts';
import { freeRequests } from '../free-requests.ts';
import { INVALID } from '../invalid-bodies.ts';
import { mistypedCases } from '../mistyped-values.ts';
import { cutShort } from '../near-keys.ts';
import { sameValues } from '../same-values.ts';
import { noScheme } from '../schemes.ts';
import { survival } from '../survival.ts';
import { unknownKinds } from '../unknown-identifiers.ts';
import {
  chunkedCreation,
  mediaTypeCreation,
  rewrittenCreations,
  rewrittenReads,
} from '../writings.ts';
import { bodies } from './bodies.ts';
import { credentials } from './credentials.ts';
import { free, queries, withCookie } from './free.ts';
import { guard } from './guard.ts';
import { identifiers } from './identifiers.ts';
import { strings } from './strings.ts';
import { users } from './users.ts';
import { writings } from './writings.ts';

const EXISTS = 'create.accepted-exists';
const SURVIVES = 'http.survives-bad-requests';

/** The negative requests that a default run follows up with valid ones. */
const disturbing: readonly Case[] = survival.flatMap(({ cases = [] }) => cases);

const negative: Case[] = [
  ...disturbing,
  ...noKey,
  ...wrongKey,
  ...noToken,
  ...cutShort,
  ...noScheme,
  ...Object.values(INVALID).flat(),
  ...mistypedCases,
  ...Object.values(unknownKinds).filter((lookup) => lookup !== undefined),
];

/** Valid requests that may affect the next one. */
const valid: Case[] = [
  chunkedCreation,
  mediaTypeCreation,
  ...rewrittenCreations,
  ...rewrittenReads,
  withCookie,
  ...sameValues.flatMap(({ cases = [] }) => cases.filter(({ rereadsShared }) => rereadsShared)),
].filter(isValidCase);

/** Queries that sequences use, at most. */
const QUERIES_IN_SEQUENCES = 12;

const first = (cases: readonly Case[]): Case[] => cases.slice(0, 1);
const isAborted = ({ name }: Case) => /aborted/.test(name);
const isNull = ({ name }: Case) => name === 'null';

/**
 * Requests that are repeated many times in a row: a service may count them and lock the client out.
 */
const rows: Case[] = [
  ...first(noKey),
  ...first(wrongKey),
  ...first(INVALID.name),
  ...first(INVALID.empty),
  ...first(INVALID.cut),
  ...INVALID.object.filter(isNull),
  ...first(Object.values(unknownKinds).filter((lookup) => lookup !== undefined)),
  ...disturbing.filter(isAborted),
];

const afterNegative: DrawnCases = {
  name: 'valid requests after rejected ones',
  slugs: [SURVIVES],
  perRound: 12,
  how: 'disturbing',
  tables: [negative],
};

/** Everything that a thorough run sends beyond the default run. */
export const thorough: Thorough = {
  kinds: [
    ...users,
    ...strings,
    ...writings,
    afterNegative,
    ...credentials,
    ...guard,
    ...bodies,
    ...identifiers,
    ...free,
  ],
  sequences: {
    slug: SURVIVES,
    cases: [...negative, ...valid, ...freeRequests, ...queries.slice(0, QUERIES_IN_SEQUENCES)],
    rows,
    created: [EXISTS],
  },
};
