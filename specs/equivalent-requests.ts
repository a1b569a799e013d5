import { type Exchange, isAnswered } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
import type { Created } from '../src/plan/create.ts';
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
  usersTogether,
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
import { drawn } from '../src/requirement/drawn.ts';
import { type Finding, notVerified, of, that } from '../src/requirement/finding.ts';
import { each } from '../src/requirement/judge.ts';
import { chapter, must, rfc, should } from '../src/requirement/requirement.ts';
import { together } from './creations-together.ts';
import { rule } from './interface.ts';
import {
  inCapitalLetters,
  inChunks,
  laterWrittenCreations,
  lists,
  otherMediaType,
  retrievals,
  writtenBodies,
} from './writings.ts';

/** Requests as usual, to follow those that no service carries out. */
export const usual: WritingCase[] = Array.from({ length: 4 }, () => ({ what: 'as usual' }));

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

function isAnsweredTheSame(valid: Valid, mayBe?: number): Finding[] {
  const fault = faultOf(valid);
  const isAllowed = valid.exchange.response?.status === mayBe;
  if (fault === 'none' || fault === 'request before' || isAllowed) return [that(true, '', '')];
  if (fault !== 'writing') return [open(valid)];
  const got = `${valid.exchange.response?.status}`;
  return of(valid.what, that(false, 'the answer that the usual request gets', got, valid.exchange));
}

/** A user who was created by a request in another writing is what was sent. */
export function isStoredAsSent(one: Kept): Finding[] {
  const { creation, read } = settled(one);
  const { email, name } = creation.user;
  if (isHidden(settled(one))) return [];
  if (read?.record === undefined) {
    // Users who are created as usual were found: what is found of none, alone too, has become another user.
    const isAnother = one.alone !== undefined && read?.ok && !read.unreadable;
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

/** What came of cases that a thorough run adds to. */
export const listsWritten = drawn(listWritten, ...lists);
export const retrievalsWritten = drawn(retrievalsAfterRefusals, ...retrievals);
export const createdLater = drawn((...all: UserCase[]) => created(laterWrittenUsers, ...all), ...laterWrittenCreations);
export const keptLater = drawn((...all: UserCase[]) => kept(laterWrittenUsers, ...all), ...writtenBodies);
export const createdInChunks = drawn((...all: UserCase[]) => created(laterWrittenUsers, ...all));
export const createdWithMediaTypes = drawn((...all: UserCase[]) => created(laterWrittenUsers, ...all));

export const equivalentRequests = chapter('HTTP and JSON', [
  must('http.equivalent-requests', {
    source: rule('1.1'),
    sentence:
      'A request written in another way gets the same response: Accept, further headers, case of header names, packets, connection, and the white space, order and escapes of its JSON.',
    evidence: {
      listed: listsWritten,
      retrieved: retrievalsWritten,
      together: created(usersTogether, ...together),
      created: created(writtenUsers, inCapitalLetters),
      createdLater,
      kept: keptLater,
    },
    check: ({ listed, retrieved, together, created, createdLater, kept }) => [
      ...each(listed, (one) => isAnsweredTheSame(ofList(one))),
      ...each(retrieved, (one) => isAnsweredTheSame(ofTrial(one))),
      ...each([...together, ...created, ...createdLater], (one) => isAnsweredTheSame(ofPosted(one))),
      ...each(kept, isStoredAsSent),
    ],
  }),

  should('http.chunked-body', {
    source: rfc(9112, '7.1'),
    sentence: 'A create request with a chunked body is accepted, or rejected with 411.',
    evidence: { created: created(writtenUsers, inChunks), createdLater: createdInChunks },
    check: ({ created, createdLater }) =>
      each([...created, ...createdLater], (one) => isAnsweredTheSame(ofPosted(one), LENGTH_REQUIRED)),
  }),

  should('http.media-type', {
    source: rfc(9110, '8.3.1'),
    sentence: 'A create request is accepted with its media type in any case, and with a charset parameter.',
    evidence: { created: created(writtenUsers, otherMediaType), createdLater: createdWithMediaTypes },
    check: ({ created, createdLater }) =>
      each([...created, ...createdLater], (one) => isAnsweredTheSame(ofPosted(one))),
  }),
]);

/** A server may insist on a Content-Length (RFC 9110, section 15.5.12). */
const LENGTH_REQUIRED = 411;
