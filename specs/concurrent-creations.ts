import { type Creation, firstRead, isAccepted, PLAIN_USER } from '../src/history/creation.ts';
import type { Attempt, CaseResult, History } from '../src/history/history.ts';
import { type Read, showsOnlyUser } from '../src/history/record.ts';
import { isServerError, isTelling } from '../src/http/exchange.ts';
import { textOf } from '../src/http/value.ts';
import { asUsual, type Case, CREATE, type UserKind } from '../src/requirement/case.ts';
import { type Finding, failed, passed, verify } from '../src/requirement/finding.ts';
import { statusOf, whyOpen } from './expectations.ts';
import { whyUnproven } from './first-users.ts';
import { PLAIN_KINDS } from './plain-users.ts';
import { chapter, must, rule } from './requirement.ts';

/** A creation that is sent at the same moment as others. */
export const concurrentCreation = (name: string, user: UserKind): Case => ({
  name,
  operation: CREATE,
  change: asUsual,
  phase: 'together',
  expected: 'created',
  user,
});

/** As many concurrent creations as a busy service gets, each with another kind of plain user. */
export const plainCreations: Case[] = PLAIN_KINDS.map(({ name, user }) =>
  concurrentCreation(name, user),
);

export const concurrentCreations = chapter('Create a user', [
  must('create.concurrent', rule('6.1'), {
    sentence:
      'Concurrent creations are all kept, each with an identifier, an email and a name of its own.',
    cases: plainCreations,
    expect: expectStored,
    check: (history) => [
      ...checkOtherCases(history),
      ...checkUsualCreations(history),
      ...checkDistinctIdentifiers(history),
      ...checkShownIdentifiers(history),
      ...checkShownValues(history),
    ],
    needs: ['list', 'users', 'plain users'],
  }),
]);

/**
 * Returns the fault of a concurrent creation: rejected, lost or mixed up; undefined if there is
 * none.
 */
export function faultOfCreation({ creation, exchange, read }: Attempt): Finding | undefined {
  if (creation === undefined) return undefined;
  if (creation.response === 'rejected')
    return failed('a 2xx status', `${statusOf(exchange)}`, exchange);
  if (creation.response !== 'accepted') return undefined;
  const expected = `the user ${creation.user.email}`;
  if (creation.missingIn) {
    const got = 'no such user in a list of all users';
    return failed(expected, got, creation.exchange, creation.missingIn);
  }
  if (read === undefined || !isTelling(read.exchange)) return undefined;
  if (read.ok && read.isUnreadable) return undefined;
  if (showsOnlyUser(read)) return undefined;
  return failed(expected, describeWrongRead(read), creation.exchange, read.exchange);
}

/** Describes a response that does not show its user. */
export function describeWrongRead({ record, others, instead, exchange }: Read): string {
  if (others.length > 0) return `${record ? 'also' : 'another user,'} ${others.join(', ')}`;
  return `${instead ?? 'no such user'} (${statusOf(exchange)})`;
}

/** Expects that a user who was created concurrently exists, as one created alone does. */
function expectStored(result: CaseResult, history: History): Finding[] {
  const unproven = whyUnproven(history);
  if (unproven) return [unproven];
  const { concurrent, control, exchange } = result;
  if (concurrent) {
    const fault = faultOfCreation(concurrent);
    return fault?.outcome === 'failed' ? [onlyConcurrent(fault, result)] : [];
  }
  // The creation failed alone as well, so concurrency is not the cause.
  if (control) return [];
  const fault = faultOfCreation(result);
  if (fault) return [fault];
  return [isTelling(exchange) ? passed(exchange) : whyOpen(exchange)];
}

type Failure = Finding & { outcome: 'failed' };

/** Adds what was right alone: the same request, or another user if the service rejects that one. */
function onlyConcurrent(fault: Failure, { creation, concurrent }: CaseResult): Failure {
  const isSame = creation?.user.email === concurrent?.creation?.user.email;
  const alone = isSame
    ? 'the same request gets the right response when sent alone'
    : 'another user of this kind is right when created alone';
  return { ...fault, got: `${fault.got}; ${alone}` };
}

/**
 * Checks creations of other requirements that failed while other requests were in flight, and not
 * alone.
 */
function checkOtherCases(history: History): Finding[] {
  return history.results.flatMap((result): Finding[] => {
    const { concurrent, slugs, operation, name } = result;
    if (concurrent === undefined || operation !== CREATE) return [];
    if (slugs.some(judgesConcurrency) || isServerError(concurrent.exchange)) return [];
    const fault = faultOfCreation(concurrent);
    return fault?.outcome === 'failed'
      ? [{ ...onlyConcurrent(fault, result), caseName: name }]
      : [];
  });
}

/** Whether a requirement judges concurrent creations by itself. */
const judgesConcurrency = (slug: string) =>
  slug === 'create.concurrent' || slug.startsWith('create.same-');

/** Checks that concurrent usual creations are accepted if the same one, sent alone, is. */
function checkUsualCreations({ creations }: History): Finding[] {
  const usual = creations.filter(({ name, exchange }) => name === PLAIN_USER && exchange);
  return usual.flatMap(({ isConcurrent, response, exchange, user }): Finding[] => {
    if (!isConcurrent || exchange === undefined || response === 'unknown') return [];
    if (isServerError(exchange)) return [];
    if (response === 'accepted') return [passed(exchange)];
    const alone = usual.find(
      (creation) => creation.user.email === user.email && isAccepted(creation),
    );
    if (alone === undefined) return [];
    const got = `${statusOf(exchange)} while other requests were in flight, and a 2xx status alone`;
    return [failed('a 2xx status', got, exchange, alone.exchange)];
  });
}

/** Checks that users who were created concurrently have different identifiers. */
function checkDistinctIdentifiers({ creations }: History): Finding[] {
  const users = creations.filter(({ isConcurrent, identifier }) => isConcurrent && identifier);
  if (users.length < 2) return [];
  const texts = users.map(({ identifier }) => identifier?.text);
  const duplicate = users.find((_, index) => texts.indexOf(texts[index]) < index);
  const got = `${duplicate?.identifier?.text} for two users`;
  return [verify(!duplicate, 'a different identifier for each user', got, duplicate?.exchange)];
}

/**
 * Checks that no create response shows the identifier of another user in the member in which the
 * service shows identifiers: its client would go on with the wrong user.
 */
function checkShownIdentifiers({ creations, identifierMembers }: History): Finding[] {
  const member = identifierMembers.created ?? identifierMembers.retrieved;
  if (member === undefined) return [];
  const shown = creations.flatMap((creation) => {
    // An invalid creation that is carried out fails another requirement; a POST to a user's path
    // may show anything.
    const isCreation =
      creation.expected !== 'rejected' && creation.exchange?.request.path.endsWith('/users');
    const text = isCreation ? textOf(creation.shown?.[member]) : undefined;
    return text === undefined ? [] : [{ creation, text }];
  });
  const right = shown.filter(({ creation, text }) => creation.identifier?.text === text);
  if (right.length < 2) return [];
  const wrong = shown.flatMap(({ creation, text }, index): Finding[] => {
    const earlier = shown.slice(0, index).find((entry) => entry.text === text)?.creation;
    if (earlier && !mayRepeat(creation, earlier)) {
      const got = `${member} ${text}, which ${earlier.user.email} got as well`;
      const expected = `an identifier of its own for ${creation.user.email}`;
      return [failed(expected, got, earlier.exchange, creation.exchange)];
    }
    const { isConcurrent, identifier, exchange, user } = creation;
    if (!isConcurrent || identifier === undefined || identifier.text === text) return [];
    const owner = creations.find(
      (candidate) => candidate.isConcurrent && candidate.identifier?.text === text,
    );
    if (owner === undefined) return [];
    const got = `${member} ${text}, which is that of ${owner.user.email}, who was created concurrently`;
    return [failed(`the identifier of ${user.email}`, got, exchange, owner.exchange)];
  });
  return wrong.slice(0, 1);
}

/**
 * Whether a service may treat a creation as a repetition of an earlier one, and return the same
 * user.
 */
function mayRepeat(creation: Creation, earlier: Creation): boolean {
  const areConcurrent = creation.isConcurrent && earlier.isConcurrent;
  const isSameEmail = creation.user.email.toLowerCase() === earlier.user.email.toLowerCase();
  return isSameEmail || (!areConcurrent && creation.user.name === earlier.user.name);
}

/** Shorter texts may be equal by chance. */
const SHORTEST_COMPARED = 5;

/** Checks that no user shows an email or a name that was sent for another one. */
function checkShownValues({ creations }: History): Finding[] {
  const names = ['email', 'name'] as const;
  const creationByValue = new Map(
    creations.flatMap((creation) => names.map((name) => [creation.user[name], creation] as const)),
  );
  return creations.flatMap((creation) =>
    names.flatMap((name): Finding[] => {
      const read = firstRead(creation);
      const shown = textOf(read?.record?.[name]) ?? '';
      const sent = creation.user[name];
      if (shown.toLowerCase() === sent.toLowerCase() || shown.length < SHORTEST_COMPARED) return [];
      const sender = creationByValue.get(shown);
      if (sender?.exchange === undefined || sender.user[name] !== shown) return [];
      const got = `${shown}, which was sent for another user`;
      return [failed(`the ${name} ${sent}`, got, sender.exchange, read?.exchange)];
    }),
  );
}
