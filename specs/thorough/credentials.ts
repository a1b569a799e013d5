import type { Arbitrary } from 'fast-check';
import { type Topic, topic } from '../../src/conduct/topic.ts';
import { KEY, KEY_CUT_AT_END, KEY_CUT_AT_START, keyChangedAt } from '../../src/http/key.ts';
import { attempted, type CredentialCase, type Operation, WRONG_KEY } from '../../src/plan/steps/credentials.ts';
import { CREATE, LIST, OPERATIONS, on, RETRIEVE, withAnyKey, withoutKey } from '../authentication.ts';
import { grouped, onOperations, type Several, severalAtOnce, shuffled, words } from './drawn.ts';

const withHeader = (operation: Operation, authorization: string) =>
  on(operation, `Authorization: ${authorization}`, { headers: { authorization }, unless: withAnyKey(operation) });

/** What stands around the scheme and the key: between, behind, before. */
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
  '%00',
  ' x',
  ',x',
  ', x',
  '\tx',
  '#x',
  '?x',
  '&x',
  ' Bearer',
  ', Bearer x',
  `, ${KEY}`,
  ` ${KEY}`,
];
const before = ['x, ', ', ', ',', 'Basic x, ', 'Bearer '];
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
/** The scheme is Bearer and the key is there whole, otherwise than RFC 6750 has it. */
const syntaxes = [
  ...between.map((one) => `Bearer${one}${KEY}`),
  ...behind.map((one) => `Bearer ${KEY}${one}`),
  ...before.map((one) => `${one}Bearer ${KEY}`),
  ...around.flatMap(([open, close]) => [`Bearer ${open}${KEY}${close}`, `${open}Bearer ${KEY}${close}`]),
];
const wrongTokens = [
  ...words(`* % _ .* .+ ? null undefined true false 0 1 -1 [] {} __proto__ constructor toString ' " '' "" \\ / .`),
  ...['*', '%', '_', '?', '.', '\\'].map((one) => `${KEY_CUT_AT_END}${one}`),
  ...["' OR '1'='1", "' OR 1=1--", '{"$ne":""}', `${KEY_CUT_AT_START}${KEY}`],
].map((one) => `Bearer ${one}`);
const extensions = ['0', '.', '/', '=', '==', '-', '_', KEY].map((one) => `Bearer ${KEY}${one}`);

const otherSchemes = words(`
  Bearerx xBearer BearerToken Bearer-Token Bear Beare earer Bearers Bearer1 XBearer -Bearer .Bearer MyBearer Basic Digest Token ApiKey Api-Key API-KEY Key JWT OAuth OAuth2 Negotiate NTLM HOBA Mutual DPoP MAC PrivateToken GoogleLogin
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

const changed = [
  ...Array.from({ length: 40 }, (_, index) => keyChangedAt(index + 1)),
  ...Array.from({ length: 24 }, (_, index) => keyChangedAt(-index - 1)),
];

/** No key at all, or a wrong one, while many requests with the right one are under way. */
const amongOthers = OPERATIONS.flatMap((one): CredentialCase[] => {
  const where = { amongOthers: true as const };
  return Array.from({ length: 12 }, (_, index) =>
    index % 3 === 2
      ? on(one, 'a wrong key', { headers: { authorization: `Bearer ${WRONG_KEY}` }, unless: withoutKey(one), ...where })
      : on(one, 'no Authorization header, while others have one', { unless: withoutKey(one), ...where }),
  );
});
const isWrong = ({ headers }: CredentialCase) => headers.authorization !== undefined;
const onlyOn = (operation: Operation, all: CredentialCase[]) =>
  all.filter((one) => one.operation === operation && !isWrong(one));

/** Attempts without the documented credentials, which one requirement judges. */
export const attempts = (
  slug: string,
  what: string,
  cases: Arbitrary<Several<CredentialCase>[]>,
  perRound: number,
): Topic =>
  topic({
    what,
    cases,
    perRound,
    reads: false,
    judgedBy: { [slug]: (all: Several<CredentialCase>[]) => ({ attempts: attempted(...all) }) },
    smaller: (one) => one.smaller?.() ?? [],
  });

export const credentials: Topic[] = [
  attempts('authentication.header-syntax', 'other syntax of the header', onOperations(syntaxes, withHeader), 42),
  attempts('authentication.key-extended', 'longer keys', onOperations(extensions, withHeader), 6),
  topic({
    what: 'tokens that are no key',
    cases: onOperations(wrongTokens, withHeader),
    perRound: 20,
    reads: false,
    judgedBy: {
      'authentication.wrong-key': (all: CredentialCase[]) => ({
        attempts: attempted(...all),
        open: attempted(...all.flatMap(({ operation }) => withoutKey(operation))),
      }),
    },
  }),
  attempts(
    'authentication.key-one-character',
    'keys with one character changed',
    onOperations(changed, (one, key) => withHeader(one, `Bearer ${key}`)),
    12,
  ),
  attempts(
    'authentication.other-scheme',
    'other schemes',
    onOperations([...otherSchemes, 'x', 'Token Bearer', 'x Bearer', 'Authorization: Bearer'], (one, scheme) =>
      withHeader(one, `${scheme} ${KEY}`),
    ),
    24,
  ),
  attempts(
    'authentication.key-in-query',
    'places of the key in the query',
    severalAtOnce(parameters, 12, (one, some) => {
      const query = `?${some.map((name) => `${name}=${KEY}`).join('&')}`;
      return on(one, `the key in the query as ${some.join(', ')}`, { query, unless: withoutKey(one) });
    }),
    9,
  ),
  attempts(
    'authentication.key-in-other-header',
    'other headers with the key',
    severalAtOnce(headers, 8, (one, some, turn) => {
      const value = turn % 2 === 0 ? KEY : `Bearer ${KEY}`;
      const all = Object.fromEntries(some.map((name) => [name, value]));
      return on(one, `${value} in ${some.join(', ')}`, { headers: all, unless: withoutKey(one) });
    }),
    18,
  ),
  attempts(
    'authentication.key-in-cookie',
    'cookies with the key',
    severalAtOnce(cookies, 8, (one, some) => {
      const cookie = some.map((name) => `${name}=${KEY}`).join('; ');
      return on(one, `the key in the cookies ${some.join(', ')}`, { headers: { cookie }, unless: withoutKey(one) });
    }),
    6,
  ),
  attempts(
    'authentication.key-in-body',
    'places of the key in the body',
    grouped(parameters, 10).map((groups) =>
      groups.map((some) => {
        const members = Object.fromEntries(some.map((name) => [name, KEY]));
        return on(CREATE, `the key in the body as ${some.join(', ')}`, { members, unless: withoutKey(CREATE) });
      }),
    ),
    4,
  ),
  topic({
    what: 'no key among many with one',
    cases: shuffled(amongOthers),
    perRound: 12,
    reads: false,
    judgedBy: {
      'authentication.list-needs-key': (all: CredentialCase[]) => ({ attempts: attempted(...onlyOn(LIST, all)) }),
      'authentication.create-needs-key': (all) => ({ attempts: attempted(...onlyOn(CREATE, all)) }),
      'authentication.retrieve-needs-key': (all) => ({ attempts: attempted(...onlyOn(RETRIEVE, all)) }),
      'authentication.wrong-key': (all) => {
        const wrong = all.filter(isWrong);
        return { attempts: attempted(...wrong), open: attempted(...wrong.flatMap(({ unless }) => unless)) };
      },
    },
  }),
];
