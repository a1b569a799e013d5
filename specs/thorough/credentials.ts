import type { Arbitrary } from 'fast-check';
import { KEY, KEY_CUT_AT_END, KEY_CUT_AT_START, keyChangedAt } from '../../src/http/key.ts';
import { attempted, type CredentialCase, type Operation } from '../../src/plan/steps/credentials.ts';
import { type Topic, topic } from '../../src/requirement/topic.ts';
import { CREATE, LIST, OPERATIONS, on, RETRIEVE, withAnyKey, withoutKey } from '../authentication.ts';
import { onOperations, shuffled, words } from './drawn.ts';

const withHeader = (operation: Operation, authorization: string) =>
  on(operation, `Authorization: ${authorization}`, { headers: { authorization }, unless: withAnyKey(operation) });

/** What stands around the scheme and the key: before, between, behind. */
const between = [
  ':',
  ': ',
  '=',
  '= ',
  ',',
  ', ',
  '/',
  ';',
  '_',
  '-',
  '.',
  '|',
  '',
  ' ,',
  ' ;',
  ' =',
  ' -',
  ' :',
  ' .',
  ' /',
  ' x ',
  ' x,',
  ' x:',
];
const behind = [
  ',',
  ';',
  '.',
  '/',
  '=',
  '==',
  '%00',
  ' x',
  ',x',
  ', x',
  '0',
  '\tx',
  '#x',
  '?x',
  '&x',
  ' Bearer',
  ', Bearer x',
  `, ${KEY}`,
  ` ${KEY}`,
  KEY,
];
const before = ['x', 'x ', 'x, ', ', ', ',', 'Basic x, ', 'Authorization: ', 'Bearer ', 'Token ', 'X', '-', '.'];
const around = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['<', '>'],
  ['[', ']'],
  ['{', '}'],
  ['(', ')'],
  ['token=', ''],
  ['token="', '"'],
  ['key=', ''],
];
const schemes = words(`Bearerx xBearer BearerToken Bearer-Token Bear Beare earer Bearers Bearer1 Bearer,Bearer`);
const tokens = words(
  `* % _ .* .+ ? null undefined true false 0 1 -1 [] {} __proto__ constructor toString ' " '' "" \\ / .`,
);
const writings = [
  ...between.map((one) => `Bearer${one}${KEY}`),
  ...behind.map((one) => `Bearer ${KEY}${one}`),
  ...before.map((one) => `${one}Bearer ${KEY}`),
  ...around.flatMap(([open, close]) => [`Bearer ${open}${KEY}${close}`, `${open}Bearer ${KEY}${close}`]),
  ...schemes.map((one) => `${one} ${KEY}`),
  ...tokens.map((one) => `Bearer ${one}`),
  ...['*', '%', '_', '?', '.', '\\'].map((one) => `Bearer ${KEY_CUT_AT_END}${one}`),
  ...["' OR '1'='1", "' OR 1=1--", '{"$ne":""}', `${KEY_CUT_AT_START}${KEY}`].map((one) => `Bearer ${one}`),
];

const otherSchemes = words(`
  Basic Digest Token ApiKey Api-Key API-KEY Key JWT OAuth OAuth2 Negotiate NTLM HOBA Mutual DPoP MAC PrivateToken GoogleLogin
  AWS4-HMAC-SHA256 SharedAccessSignature Session Secret Access Auth Authorization User Client Signature Hawk Custom X Bot
  GenieKey Password Plain Internal Service System Admin`);

const headers = words(`
  X-Api-Key Api-Key ApiKey X-Api-Token X-Token Token X-Auth X-Auth-Key X-Auth-Token X-Access-Token Access-Token Auth-Token
  X-Authorization Authentication X-Authentication X-Key Key X-Secret Secret X-Forwarded-Authorization
  X-Original-Authorization Proxy-Authorization X-Amz-Security-Token X-Goog-Api-Key Ocp-Apim-Subscription-Key X-Csrf-Token
  X-Session-Token X-Client-Token X-User-Token X-Service-Token Private-Token X-Gitlab-Token X-Vault-Token X-Bearer-Token
  X-Jwt-Assertion X-Id-Token X-Apikey X-Rapidapi-Key Bearer X-Http-Authorization Http-Authorization Sec-Websocket-Protocol
  X-Authorization-Token X-Api-Authorization X-App-Key X-Application-Key X-Tenant-Key X-Admin-Key X-Internal-Token`);
const parameters = words(`
  access_token api_key apikey apiKey api-key key token auth auth_token authToken accessToken authorization Authorization
  bearer bearer_token secret password jwt session sid id_token code k t x-api-key X-Api-Key client_secret credentials
  oauth_token private_token sig signature user_key app_key appkey pass pwd access_key`);
const cookies = words(`
  access_token api_key apikey token auth auth_token session sessionid sid jwt Authorization authorization bearer key
  id_token XSRF-TOKEN connect.sid user_token remember_token _session PHPSESSID JSESSIONID accessToken`);
const inHeaders = headers.flatMap((name) => [KEY, `Bearer ${KEY}`].map((value) => ({ name, value })));

const changed = [
  ...Array.from({ length: 40 }, (_, index) => keyChangedAt(index + 1)),
  ...Array.from({ length: 24 }, (_, index) => keyChangedAt(-index - 1)),
];

/** No key at all, while many requests with the right one are under way. */
const amongOthers = OPERATIONS.flatMap((one) => {
  const attempt = on(one, 'no Authorization header, while others have one', { unless: withoutKey(one) });
  return Array.from({ length: 20 }, () => attempt);
});
const onlyOn = (operation: Operation, all: CredentialCase[]) => all.filter((one) => one.operation === operation);

/** Attempts without the documented credentials, which one requirement judges. */
export const attempts = (slug: string, what: string, cases: Arbitrary<CredentialCase[]>, perRound: number): Topic =>
  topic({
    what,
    cases,
    perRound,
    reads: false,
    judgedBy: { [slug]: (all: CredentialCase[]) => ({ attempts: attempted(...all) }) },
  });

export const credentials: Topic[] = [
  attempts(
    'authentication.header-writing',
    'writings of the Authorization header',
    onOperations(writings, withHeader),
    36,
  ),
  attempts(
    'authentication.key-one-character',
    'keys with one character changed',
    shuffled(changed.map((key) => withHeader(RETRIEVE, `Bearer ${key}`))),
    12,
  ),
  attempts(
    'authentication.other-scheme',
    'other schemes',
    onOperations(otherSchemes, (one, scheme) => withHeader(one, `${scheme} ${KEY}`)),
    10,
  ),
  attempts(
    'authentication.key-in-query',
    'places of the key in the query',
    onOperations(parameters, (one, name) =>
      on(one, `the key in the query as ${name}`, { query: `?${name}=${KEY}`, unless: withoutKey(one) }),
    ),
    10,
  ),
  attempts(
    'authentication.key-in-other-header',
    'other headers with the key',
    onOperations(inHeaders, (one, { name, value }) =>
      on(one, `${name}: ${value}`, { headers: { [name]: value }, unless: withoutKey(one) }),
    ),
    24,
  ),
  attempts(
    'authentication.key-in-cookie',
    'cookies with the key',
    onOperations(cookies, (one, name) =>
      on(one, `the key in the cookie ${name}`, { headers: { cookie: `${name}=${KEY}` }, unless: withoutKey(one) }),
    ),
    6,
  ),
  attempts(
    'authentication.key-in-body',
    'places of the key in the body',
    shuffled(
      parameters.map((name) =>
        on(CREATE, `the key in the body as ${name}`, { members: { [name]: KEY }, unless: withoutKey(CREATE) }),
      ),
    ),
    6,
  ),
  topic({
    what: 'no key among many with one',
    cases: shuffled(amongOthers),
    perRound: 8,
    reads: false,
    judgedBy: {
      'authentication.list-needs-key': (all: CredentialCase[]) => ({ attempts: attempted(...onlyOn(LIST, all)) }),
      'authentication.create-needs-key': (all) => ({ attempts: attempted(...onlyOn(CREATE, all)) }),
      'authentication.retrieve-needs-key': (all) => ({ attempts: attempted(...onlyOn(RETRIEVE, all)) }),
    },
  }),
];
