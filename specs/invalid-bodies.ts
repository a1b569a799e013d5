import { isAccepted, type NewUser } from '../src/history/creation.ts';
import type { CaseResult, History } from '../src/history/history.ts';
import { type Exchange, isSuccess, isTelling } from '../src/http/exchange.ts';
import {
  type Case,
  CREATE,
  inTurn,
  repeated,
  sentAlone,
  withBody,
  withHeaders,
} from '../src/requirement/case.ts';
import { type Finding, notApplicable, verify } from '../src/requirement/finding.ts';
import { statusOf, whyOpen, whyUnanswered } from './expectations.ts';
import {
  MEDIA_TYPE_IN_CAPITALS,
  MEDIA_TYPE_WITH_CHARSET,
  MEDIA_TYPE_WITH_SPACE,
} from './media-types.ts';
import { chapter, must, rule } from './requirement.ts';

const creation = (name: string, body: string | ((user: NewUser) => string)): Case => ({
  name,
  operation: CREATE,
  change: withBody(body),
});

/** A creation whose body is the JSON of a value made from the user. */
const json = (name: string, make: (user: NewUser) => unknown): Case =>
  creation(name, (user) => JSON.stringify(make(user)));

/**
 * Sends a case directly after a creation on the same connection: a service may reuse members of
 * that body.
 */
const afterCreation = (creationCase: Case): Case => ({ ...creationCase, before: 'usual' });

/** Members in which a service may also look for an email or a name. */
const nested = (member: 'email' | 'name', value: string) => ({
  user: { [member]: value },
  data: { [member]: value },
  attributes: { [member]: value },
});

/** Other spellings of the media type. A valid creation is sent with each of them as well. */
const OTHER_TYPES = [MEDIA_TYPE_IN_CAPITALS, MEDIA_TYPE_WITH_SPACE, MEDIA_TYPE_WITH_CHARSET];

/**
 * No member name, with another spelling of the media type: a framework may parse the body and skip
 * the validation.
 */
function withoutName(type: string): Case {
  const withoutMember = json(`no member name, as ${type}`, ({ email }) => ({ email }));
  const change = inTurn(withoutMember.change, withHeaders({ 'content-type': type }));
  return { ...withoutMember, change };
}

/**
 * Bodies from which no user can be created, by what they lack. Some frameworks also read the query,
 * accept a whole user in a member `user`, match member names in any case, or read `__proto__`: no
 * case sends these.
 */
export const INVALID = {
  email: [
    json('no member email', ({ name }) => ({ name })),
    afterCreation(json('no member email, directly after a creation', ({ name }) => ({ name }))),
    json('no member email, but similar ones', ({ email, name }) => ({
      name,
      ...nested('email', email),
      mail: email,
      e_mail: email,
      email_address: email,
      ' email': email,
    })),
  ],
  name: [
    repeated(sentAlone(json('no member name', ({ email }) => ({ email })))),
    json('no member name, but similar ones', ({ email, name }) => ({
      email,
      ...nested('name', name),
      username: name,
      full_name: name,
      ' name': name,
    })),
    ...OTHER_TYPES.map(withoutName),
  ],
  members: [
    sentAlone(creation('neither email nor name', '{}')),
    json('a user under other names and in other members', (user) => ({
      constructor: { prototype: user },
      data: user,
      attributes: user,
      mail: user.email,
      e_mail: user.email,
      email_address: user.email,
      ' email': user.email,
      username: user.name,
      full_name: user.name,
      ' name': user.name,
    })),
  ],
  object: [
    json('an array with a user in it', (user) => [user]),
    json('an array of the two strings', ({ email, name }) => [email, name]),
    creation('an empty array', '[]'),
    json('an array in an array', ({ email, name }) => [[email, name]]),
    json('an array of two users', (user) => [user, user]),
    creation('an array with null in it', '[null]'),
    creation('an array with an empty object in it', '[{}]'),
    json('a string with the JSON of a user', (user) => JSON.stringify(user)),
    json('a string', ({ email }) => email),
    creation('an empty string', '""'),
    creation('a string with JSON', '"{}"'),
    creation('the number 42', '42'),
    creation('the number 0', '0'),
    creation('the number -1', '-1'),
    creation('the number 1.5', '1.5'),
    creation('true', 'true'),
    creation('false', 'false'),
    sentAlone(creation('null', 'null')),
  ],
  empty: [
    sentAlone(creation('an empty body', '')),
    creation('white space alone', ' \n'),
    afterCreation(creation('an empty body, directly after a creation', '')),
  ],
  cut: [
    sentAlone(creation('truncated JSON', (user) => JSON.stringify(user).slice(0, -1))),
    creation('JSON truncated inside a string', (user) => JSON.stringify(user).slice(0, -2)),
    creation(
      'JSON truncated before a value',
      ({ email }) => `{"email":${JSON.stringify(email)},"name":`,
    ),
    creation('JSON truncated after a member', ({ email }) => `{"email":${JSON.stringify(email)}`),
    creation('JSON truncated after a comma', (user) => `${JSON.stringify(user).slice(0, -1)},`),
    creation('an opening brace', '{'),
  ],
};

export const invalidBodies = chapter('Create a user', [
  must('create.email-required', rule('4.1'), {
    sentence: 'A create request without the member email is rejected.',
    cases: INVALID.email,
    expect: expectInvalid,
  }),

  must('create.name-required', rule('4.1'), {
    sentence: 'A create request without the member name is rejected.',
    cases: INVALID.name,
    expect: expectInvalid,
  }),

  must('create.members-required', rule('4.1'), {
    sentence: 'A create request with neither email nor name is rejected.',
    cases: INVALID.members,
    expect: expectInvalid,
  }),

  must('create.object-required', rule('6.1'), {
    sentence:
      'A create request whose body is JSON but not an object (array, string, number, boolean, null) is rejected.',
    cases: INVALID.object,
    expect: expectInvalid,
  }),

  must('create.body-required', rule('6.1'), {
    sentence: 'A create request with an empty body is rejected.',
    cases: INVALID.empty,
    expect: expectInvalid,
  }),

  must('create.complete-json', rule('1.2'), {
    sentence: 'A create request with truncated JSON is rejected.',
    cases: INVALID.cut,
    expect: expectInvalid,
  }),
]);

/** Expects a rejection, if valid creations with the same media type are accepted. */
function expectInvalid({ exchange, unanswered }: CaseResult, { creations }: History): Finding {
  if (unanswered) return whyUnanswered();
  const type = typeOf(exchange);
  const isUsual = type === 'application/json';
  const isAcceptedType = creations.some(
    (creation) => isAccepted(creation) && creation.exchange && typeOf(creation.exchange) === type,
  );
  if (!isUsual && !isAcceptedType) return notApplicable(`no valid creation as ${type} is accepted`);
  if (!isTelling(exchange)) return whyOpen(exchange);
  return verify(
    !isSuccess(exchange),
    'a rejection: any non-2xx status',
    `${statusOf(exchange)}`,
    exchange,
  );
}

const typeOf = ({ request }: Exchange) => request.headers['content-type'] ?? '';
