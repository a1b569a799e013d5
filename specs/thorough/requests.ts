import { lists, members, oneOf, type ValueOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { Request } from '../../src/http/exchange.ts';
import type { WritingCase } from '../../src/plan/steps/reads.ts';
import type { NewUser } from '../../src/plan/users.ts';
import {
  createdInChunks,
  createdLater,
  createdWithMediaTypes,
  keptLater,
  listsWritten,
  retrievalsWritten,
} from '../equivalent-requests.ts';
import { keptInPackets } from '../retrieve-user.ts';
import { mayBeRefused, usersWithLetters, usersWithOthers } from '../round-trip.ts';
import { creations } from './creations.ts';
import { headParts, type Write, withHead } from './head.ts';
import { around, lines, repeated } from './words.ts';

const SPACE = ['', '', '', ' ', '\n', '\t', '\r\n', '  ', '\n\n\t '];

/** A creation: its head, and the JSON of its user in one of the many ways to write it. */
const writingParts = {
  ...headParts,
  space: lists(oneOf(SPACE), 10),
  isNameFirst: oneOf([false, true]),
  escapes: oneOf(['none', 'all', 'some', 'capital']),
  framing: oneOf(['', '', 'packets', 'bytes']),
};
const writing = members(writingParts);

function written({ space, isNameFirst, escapes, framing, ...head }: ValueOf<typeof writing>) {
  const { what, write } = withHead(head);
  const json = (text: string) => {
    const { email, name } = JSON.parse(text) as NewUser;
    const member = (key: string, value: string) => [`"${key}"`, ':', `"${escaped(value, escapes)}"`];
    const both = [member('email', email), member('name', name)];
    const [first = [], second = []] = isNameFirst ? both.reverse() : both;
    const tokens = ['{', ...first, ',', ...second, '}', ''];
    return tokens.map((token, at) => (space[at] ?? '') + token).join('');
  };
  const inFraming: Write = (request) => (framing === '' ? request : { ...request, framing });
  return {
    what: `${what}${framing ? `, in ${framing}` : ''}, equivalent JSON`,
    write: (request: Request) => inFraming(write({ ...request, body: json(request.body ?? '') })),
  };
}

/** A string's content in JSON; `which` says of which characters \u escapes are made. */
function escaped(value: string, which: string): string {
  const unit = (code: string) => {
    const digits = code.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${which === 'capital' ? digits.toUpperCase() : digits}`;
  };
  const isChosen = (at: number) => which === 'all' || which === 'capital' || (which === 'some' && at % 3 === 0);
  return [...value]
    .map((letter, at) => (isChosen(at) ? letter.split('').map(unit).join('') : JSON.stringify(letter).slice(1, -1)))
    .join('');
}

const LETTERS = ['Zoë', '山田', '𠮷野', 'שרה', 'Жанна', 'Łucja', 'ελένη', '가나', 'ßẞ', '𝒜𐐀'];

/** So many bytes, by white space in one place. */
function padded(json: string, bytes: number, place: string): string {
  const space = ' '.repeat(Math.max(0, bytes - json.length));
  return place === 'before' ? space + json : place === 'behind' ? json + space : json.replace(',', `,${space}`);
}

const reads = (what: string, perRound: number, part: typeof listsWritten | typeof retrievalsWritten): Topic =>
  topic({ what, params: members(headParts), toCase: withHead, perRound, fills: [into<WritingCase>(part)] });

export const equivalentReads = [
  reads('equivalent retrievals', 24, retrievalsWritten),
  reads('equivalent list requests', 10, listsWritten),
];

const EQUIVALENT = [createdLater, keptLater];
const lengths = members({ bytes: oneOf(around(7, 16)), place: oneOf(['before', 'within', 'behind']) });
const mediaTypes = members({ type: oneOf(lines('media-types')) });
const furtherMembers = members({ further: oneOf(lines('further-members')) });

export const equivalentCreations: Topic[] = [
  creations('equivalent creations', EQUIVALENT, 9, writing, (params) => ({ ...written(params), fate: 'must' })),
  creations('bodies of many lengths', EQUIVALENT, 4, lengths, ({ bytes, place }) => ({
    what: `a body of ${bytes} bytes, white space ${place} its JSON`,
    fate: 'must',
    write: (request) => ({ ...request, body: padded(request.body ?? '', bytes, place) }),
  })),
  creations('creations with other media types', [createdWithMediaTypes, keptInPackets], 2, mediaTypes, ({ type }) => ({
    what: `the media type ${type}`,
    fate: 'must',
    optional: true,
    write: (request) => ({ ...request, headers: { ...request.headers, 'content-type': type } }),
  })),
  // Members beside email and name are free.
  creations('creations with further members', [usersWithOthers], 1, furtherMembers, ({ further }) =>
    mayBeRefused(`with ${further}`, {}, ({ body = '', ...request }) => {
      return { ...request, body: `${body.slice(0, -1)},${repeated(further)}}` };
    }),
  ),
];

const IN_CHUNKS = [createdInChunks, keptInPackets];
export const creationsInChunks = creations('creations in chunks', IN_CHUNKS, 2, writing, (params) => {
  const { what, write } = written(params);
  const inChunks: Write = (request) => ({ ...write(request), framing: 'chunked' });
  return { what: `${what}, in chunks`, fate: 'must', optional: true, write: inChunks, control: write };
});

const withLetters = members({ ...writingParts, letters: oneOf(LETTERS) });
const NAMES = [usersWithLetters];
export const equivalentLetters = creations('letters in equivalent creations', NAMES, 2, withLetters, (params) => {
  const { what, write } = written(params);
  const name = (own: { name: string }) => `${params.letters} ${own.name}`;
  return mayBeRefused(`${params.letters}: ${what}`, { name }, write);
});
