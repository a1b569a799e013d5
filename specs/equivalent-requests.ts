import { type Exchange, isAnswered, type Request } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
import type { Created } from '../src/plan/create.ts';
import { cases } from '../src/plan/evidence.ts';
import { isReadable, type Look } from '../src/plan/look.ts';
import type { Read } from '../src/plan/record.ts';
import { isHidden } from '../src/plan/seek.ts';
import {
  created,
  type Kept,
  kept,
  laterWrittenUsers,
  type Posted,
  settled,
  type UserCase,
  writtenUsers,
} from '../src/plan/steps/users.ts';
import {
  isAsBefore,
  isComplete,
  type ListTrial,
  listWritten,
  retrievalsAfterRefusals,
  type Trial,
  type WritingCase,
} from '../src/plan/steps/writings.ts';
import type { UserKind } from '../src/plan/users.ts';
import { type Finding, notVerified, of, that } from '../src/requirement/finding.ts';
import { each } from '../src/requirement/judge.ts';
import { chapter, must } from '../src/requirement/requirement.ts';
import { rule } from './interface.ts';
import { PLAIN_KINDS } from './plain-users.ts';

const withHeaders = (headers: Record<string, string>) => (request: Request) => {
  return { ...request, headers: { ...request.headers, ...headers } };
};
const without = (name: string) => (request: Request) => {
  const { [name]: _, ...headers } = request.headers;
  return { ...request, headers };
};
const inCapitals = (request: Request) => {
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toUpperCase(), value]);
  return { ...request, headers: Object.fromEntries(headers) };
};
const withBody = (write: (user: { email: string; name: string }) => string) => (request: Request) => {
  const { email, name } = JSON.parse(request.body as string);
  return { ...request, body: write({ email: JSON.stringify(email), name: JSON.stringify(name) }) };
};
/** A JSON string with every letter as an escape. */
const escaped = (json: string) => json.replaceAll(/[^"]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

/** Requests for a user, as some client writes each of them. */
export const retrievals: WritingCase[] = [
  { what: 'no Accept', write: without('accept') },
  { what: 'Accept: */*', write: withHeaders({ accept: '*/*' }) },
  { what: 'an Accept of any application type', write: withHeaders({ accept: 'application/*;q=0.8, */*;q=0.1' }) },
  {
    what: 'Accept-Encoding, Accept-Language and traceparent',
    write: withHeaders({
      'accept-encoding': 'gzip, deflate, br',
      'accept-language': 'de-CH, en;q=0.5',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    }),
  },
  { what: 'header names in capital letters', write: inCapitals },
  { what: 'a new connection', write: (request) => ({ ...request, connection: 'new' }) },
];

export const lists: WritingCase[] = [
  { what: 'an unknown query parameter', write: (request) => ({ ...request, path: `${request.path}?utm_source=x` }) },
];

/** Creations, the same. Where the body is written as usual, each is of another kind of plain user. */
const creation = (what: string, write: (request: Request) => Request, kind?: UserKind): UserCase => {
  return { what, fate: 'must', write, ...(kind && { kind }) };
};
export const writtenCreations: UserCase[] = [
  creation('header names in capital letters', inCapitals, PLAIN_KINDS[0]),
  creation(
    'a media type in capital letters',
    withHeaders({ 'content-type': 'Application/JSON; Charset=UTF-8' }),
    PLAIN_KINDS[1],
  ),
  creation('a body in chunks', (request) => ({ ...request, framing: 'chunked' }), PLAIN_KINDS[2]),
];
export const laterWrittenCreations: UserCase[] = [
  creation(
    'white space and another order of members',
    withBody(({ email, name }) => ` {\r\n\t"name" : ${name} ,\n "email":${email} }\n`),
  ),
  creation(
    'escaped letters',
    withBody(({ email, name }) => `{"email":${escaped(email)},"name":${escaped(name)}}`),
  ),
  creation('head and body in several packets', (request) => ({ ...request, framing: 'packets' }), PLAIN_KINDS[3]),
  creation('a kept connection', (request) => ({ ...request, connection: 'kept' }), PLAIN_KINDS[4]),
];

/** Requests as usual, to follow those that no service carries out. */
export const usual: WritingCase[] = Array.from({ length: 2 }, () => ({ what: 'as usual' }));

/** A valid request in company; where it failed, the usual request alone, and the same request alone. */
export interface Valid {
  what: string;
  exchange: Exchange;
  fine: boolean;
  control?: { exchange: Exchange; fine: boolean };
  again?: { exchange: Exchange; fine: boolean };
}

const ofCreated = ({ creation: { exchange, answered } }: Created) => ({
  exchange: exchange as Exchange,
  fine: answered === 'created',
});

export const ofTrial = (trial: Trial): Valid => {
  const { what, read, control, again } = trial;
  const ofRead = (one: Read) => ({ exchange: one.exchange, fine: isAsBefore(trial, one) });
  return {
    what,
    ...ofRead(read),
    ...(control && { control: ofRead(control) }),
    ...(again && { again: ofRead(again) }),
  };
};
export const ofList = (trial: ListTrial): Valid => {
  const { what, look, control, again } = trial;
  const ofLook = (one: Look) => ({ exchange: one.exchange, fine: isComplete(trial, one) });
  // Where the usual list counts as few, somebody deletes users.
  const isUsual = control !== undefined && isReadable(control) && !isComplete(trial, control);
  return {
    what,
    ...ofLook(look),
    ...(isUsual && { fine: isReadable(look) }),
    ...(control && { control: ofLook(control) }),
    ...(again && { again: ofLook(again) }),
  };
};
export const ofPosted = ({ one, created, control, again }: Posted): Valid => ({
  what: one.what,
  ...ofCreated(created),
  ...(control && { control: ofCreated(control) }),
  ...(again && { again: ofCreated(again) }),
});

/** Whose fault a failure is: that of the operation as such, of the writing, or of what was sent before. */
export function faultOf({
  exchange,
  fine,
  control,
  again,
}: Valid): 'none' | 'operation' | 'writing' | 'request before' | 'open' {
  if (fine) return 'none';
  if (!isAnswered(exchange) || control === undefined) return 'open';
  if (!control.fine) return 'operation';
  return again && !again.fine ? 'writing' : 'request before';
}

export const open = ({ exchange, control }: Valid) =>
  notVerified(exchange.failure ?? 'the request fails as usual, too', exchange, ...(control ? [control.exchange] : []));

function isAnsweredTheSame(valid: Valid): Finding[] {
  const fault = faultOf(valid);
  if (fault === 'none' || fault === 'request before') return [that(true, '', '')];
  if (fault !== 'writing') return [open(valid)];
  const got = `${valid.exchange.response?.status}`;
  return of(valid.what, that(false, 'the answer that the usual request gets', got, valid.exchange));
}

function showsWhatWasSent(one: Kept): Finding[] {
  const { creation, read } = settled(one);
  const { email, name } = creation.user;
  if (isHidden(settled(one))) return [];
  if (read?.record === undefined) {
    // Users who are created as usual were found: what is found of none, alone too, has become another user.
    const isAnother = one.alone !== undefined && read !== undefined && isAnswered(read.exchange) && !read.unreadable;
    if (!isAnother) return [];
    return of(
      one.one.what,
      that(false, show({ email, name }), 'no such user', ...exchangesOf(creation), read.exchange),
    );
  }
  const shown = { email: read.record.email, name: read.record.name };
  const same = shown.email === email && shown.name === name;
  return of(one.one.what, that(same, show({ email, name }), show(shown), ...exchangesOf(creation), read.exchange));
}

const exchangesOf = ({ exchange }: Kept['sought']['creation']) => (exchange ? [exchange] : []);

export const equivalentRequests = chapter('HTTP and JSON', [
  must('http.equivalent-requests', {
    source: rule('1.1'),
    sentence: 'A request that is written in another way and means the same is answered the same.',
    evidence: {
      listed: cases(listWritten, ...lists),
      retrieved: cases(retrievalsAfterRefusals, ...retrievals),
      created: created(writtenUsers, ...writtenCreations),
      createdLater: created(laterWrittenUsers, ...laterWrittenCreations),
      kept: kept(laterWrittenUsers, ...laterWrittenCreations),
    },
    check: ({ listed, retrieved, created, createdLater, kept }) => [
      ...each(listed, (one) => isAnsweredTheSame(ofList(one))),
      ...each(retrieved, (one) => isAnsweredTheSame(ofTrial(one))),
      ...each([...created, ...createdLater], (one) => isAnsweredTheSame(ofPosted(one))),
      ...each(kept, (one) => (one.one.kind ? [] : showsWhatWasSent(one))),
    ],
  }),
]);
