import fc, { type GeneratorValue } from 'fast-check';
import { type InTurn, lists, members, oneOf, random, shuffled, type Topic } from '../../src/conduct/topic.ts';
import { createdInTurn, createdTogether, keptInTurn, keptTogether } from '../creations-together.ts';

/** Cases in a row, each by the topic that it is of and its parameters. */
type Sequence = { links: Link[]; isOnOne: boolean };
type Link = { topic: string; params: unknown };

/** Cases of a sequence. */
const LENGTH = 24;
/** Of reads alone. */
const LONGEST = 50;
/** Users that they create at most, but for a few sequences. */
const USERS = 6;

/**
 * Numbers below `size` in an order in which every `order` of them stand in a row, once (a de Bruijn sequence): each is
 * followed by one that did not follow the same before, and by 0 last of all.
 */
function eachInARow(size: number, order: number): number[] {
  const row = Array.from({ length: order - 1 }, () => 0);
  const seen = new Set<string>();
  for (;;) {
    const last = row.slice(1 - order);
    // Others come first after each, so that the beginning has something of everything.
    const start = last.reduce((sum, one) => sum + one, 0);
    const others = Array.from({ length: size - 1 }, (_, at) => 1 + ((start + at) % (size - 1)));
    const next = [...others, 0].find((one) => !seen.has(`${[...last, one]}`));
    if (next === undefined) return row;
    seen.add(`${[...last, next]}`);
    row.push(next);
  }
}

/** The topics of sequences, without end. */
type Orders = (gen: GeneratorValue) => Generator<{ topics: Topic[]; isOnOne: boolean }, never>;

/** Orders in which so many topics stand in a row in every order of their kinds; what ends one begins the next. */
export function ordersOf(kinds: Topic[][], inARow: number): Orders {
  const numbers = eachInARow(kinds.length, inARow);
  const step = LENGTH - inARow + 1;
  return function* (gen) {
    const next = gen(() => shuffled(kinds)).map(endless);
    // Each time with other cases, and on one connection where it was on several before.
    for (let time = 0; ; time += 1) {
      const all = numbers.map((kind) => next[kind]?.next().value as Topic);
      for (let at = 0; at * step < all.length; at += 1)
        yield { topics: all.slice(at * step, at * step + LENGTH), isOnOne: (at + time) % 2 === 0 };
    }
  };
}

function* endless<T>(all: readonly T[]): Generator<T, never> {
  for (;;) yield* all;
}

/** One topic alone, or two by turns, as often as fits: what a connection, or a service, counts. */
export function turnsOf(topics: Topic[]): Orders {
  const pairs = topics.flatMap((one) => topics.map((other) => [one, other]));
  return function* (gen) {
    for (const all = endless(gen(() => shuffled(pairs))); ; ) {
      const turns = all.next().value;
      const length = turns.every(({ users }) => users === 0) ? LONGEST : LENGTH;
      yield { topics: Array.from({ length }, (_, at) => turns[at % turns.length] as Topic), isOnOne: true };
    }
  };
}

/** Sequences of cases of these topics, in orders that are drawn. */
function sequencesIn(orders: Orders, topics: Topic[]) {
  const links = topics.map(({ what, params }) => members({ topic: oneOf([what]), params }));
  // An order says which of them comes.
  const link = random<Link>(fc.constant({ topic: '', params: {} }), (value) => links.some((one) => one.has(value)));
  return {
    *draw(gen: GeneratorValue): Generator<Sequence, never> {
      const next = new Map(topics.map((topic) => [topic, topic.params.draw(gen)]));
      const linkOf = (topic: Topic): Link => ({ topic: topic.what, params: next.get(topic)?.next().value });
      for (const order = orders(gen); ; ) {
        const { topics, isOnOne } = order.next().value;
        yield { links: topics.map(linkOf), isOnOne };
      }
    },
    has: members({ links: lists(link, LONGEST), isOnOne: oneOf([true, false]) }).has,
    /** Sequences without a half of the cases, a quarter, and so on to one of them. */
    *smaller(whole: Sequence) {
      const { links } = whole;
      for (let size = links.length >> 1; size > 0; size >>= 1)
        for (let from = 0; from < links.length; from += size)
          yield { ...whole, links: links.filter((_, index) => index < from || index >= from + size) };
    },
  };
}

/** What one case leaves behind for another: sequences of cases of these topics, with nothing else in flight. */
export function sequences(what: string, perRound: number, topics: Topic[], orders: Orders): Topic {
  const named = new Map(topics.map((topic) => [topic.what, topic]));
  const parts = new Set(topics.flatMap(({ fills }) => fills.map(({ part }) => part)));
  const casesIn =
    (part: unknown) =>
    ({ cases }: InTurn) =>
      cases.flatMap(({ topic, one }) =>
        topic.fills.flatMap((fill) => (fill.part === part ? fill.casesOf(one as never) : [])),
      );
  return {
    ...{ what, perRound, users: USERS, inTurn: true, params: sequencesIn(orders, topics) },
    toCase: ({ links, isOnOne }: Sequence): InTurn => ({
      what: `${links.map(({ topic }) => topic).join(', then ')} (connection: ${isOnOne ? 'one' : 'several'})`,
      isOnOne,
      cases: links.map(({ topic: name, params }, at) => {
        const topic = named.get(name) as Topic;
        const before = links[at - 1]?.topic;
        return { topic, one: { ...Object(topic.toCase(params)), ...(before && { after: before }) } };
      }),
    }),
    fills: [
      ...[...parts].map((part) => ({ part, casesOf: casesIn(part) })),
      // Of cases in turn another requirement judges that than of concurrent ones.
      { part: createdInTurn, casesOf: casesIn(createdTogether) },
      { part: keptInTurn, casesOf: casesIn(keptTogether) },
    ],
  };
}
