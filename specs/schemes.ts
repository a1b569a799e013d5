import { type Case, CREATE, LIST, RETRIEVE, sentAlone } from '../src/requirement/case.ts';
import { authorization, oneByOne } from './credentials.ts';

export const otherScheme = [
  ...authorization('the scheme Basic and the key', 'Basic <API_KEY>'),
  ...authorization(
    'the scheme Basic and the base64-encoded key',
    'Basic <base64 of API_KEY and a colon>',
  ),
  ...authorization('the scheme Token and the key', 'Token <API_KEY>'),
  ...authorization('the scheme MyBearer', 'MyBearer <API_KEY>'),
  ...authorization(
    'the scheme MyBearer on a connection that carried the right key',
    'MyBearer <API_KEY>',
    [LIST],
    {
      before: 'usual',
    },
  ),
  ...authorization('a word before the scheme', 'Token Bearer <API_KEY>'),
  ...oneByOne([
    ['the scheme ApiKey', 'ApiKey <API_KEY>'],
    ['the scheme Digest', 'Digest <API_KEY>'],
    ['the scheme JWT', 'JWT <API_KEY>'],
    ['the scheme Bear', 'Bear <API_KEY>'],
    ['the scheme Bearers', 'Bearers <API_KEY>'],
    ['the scheme OAuth', 'OAuth <API_KEY>'],
    ['the scheme Bearer2', 'Bearer2 <API_KEY>'],
    ['the scheme X-Bearer', 'X-Bearer <API_KEY>'],
    ['the scheme Key', 'Key <API_KEY>'],
    ['the scheme Token with a parameter', 'Token token="<API_KEY>"'],
    ['the scheme Basic with the key as password', 'Basic <base64 of a colon and API_KEY>'],
    ['the scheme Basic with a user and the key as password', 'Basic <base64 of user: and API_KEY>'],
  ]),
];

export const noScheme = authorization('the key without a scheme', '<API_KEY>');

const inQuotes = authorization('the key in quotes', 'Bearer "<API_KEY>"', [CREATE]).map(sentAlone);

/** Headers with the scheme Bearer and the whole key, in a syntax that RFC 6750 does not allow. */
const SYNTAXES: [name: string, value: string][] = [
  ['no space after the scheme', 'Bearer<API_KEY>'],
  ['a colon after the scheme', 'Bearer: <API_KEY>'],
  ['an equals sign after the scheme', 'Bearer=<API_KEY>'],
  ['the key percent-encoded', 'Bearer <percent-encoded API_KEY>'],
  ['the key base64-encoded', 'Bearer <base64 of API_KEY>'],
  ['a word before the key', 'Bearer token <API_KEY>'],
  ['a word after the key', 'Bearer <API_KEY> token'],
  ['another credential and a comma before the key', 'Basic eDp5, Bearer <API_KEY>'],
];
export const otherSyntax: Case[] = [...oneByOne(SYNTAXES), ...inQuotes];

export const schemeInOtherCase = [
  ...authorization('the scheme in lower case', 'bearer <API_KEY>', [LIST], { phase: 'free' }),
  ...authorization('the scheme in capitals', 'BEARER <API_KEY>', [RETRIEVE], {
    phase: 'free',
    known: 'first',
  }),
];
