import fc, { type GeneratorValue } from 'fast-check';
import { type Domain, lists, members, oneOf, random, shuffled } from '../../src/conduct/domain.ts';
import type { Fill, InTurn, Topic } from '../../src/conduct/topic.ts';
import { createdInTurn, createdTogether, keptInTurn, keptTogether } from '../creations-together.ts';

/** A case of a sequence: the topic that it is of, and its parameters. */
interface Link {
  topic: string;
  params: unknown;
}

interface Sequence {
  links: Link[];
  connection: 'one' | 'several';
}

/** Cases of a sequence. */
const LENGTH = 24;
/** Of reads alone. */
const LONGEST = 50;
/** Users that they create at most, but for a few sequences. */
const USERS = 6;

/** What is judged of cases in turn by another requirement than of concurrent ones. */
const IN_TURN = new Map<unknown, Fill<never>['part']>([
  [createdTogether, createdInTurn],
  [keptTogether, keptInTurn],
]);

/**
 * Numbers below `size` in an order in which every `order` of them stand in a row, once (a de Bruijn sequence): each is followed
 * by one that did not follow the same before, and by 0 last of all.
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

/** The topics of a sequence. */
interface Order {
  topics: Topic[];
  connection: Sequence['connection'];
}

/** Orders of topics, without end. */
type Orders = (gen: GeneratorValue) => Generator<Order, never>;

/** Orders in which so many topics stand in a row in every order of their kinds; what ends one begins the next. */
function ordersOf(kinds: Topic[][], inARow: number): Orders {
  const numbers = eachInARow(kinds.length, inARow);
  const step = LENGTH - inARow + 1;
  const inAnyOrder = () => shuffled(kinds);
  return function* (gen) {
    for (;;) {
      const next = gen(inAnyOrder).map(endless);
      // The second time with other cases, and on one connection where it was on several before.
      for (const time of [0, 1]) {
        const all = numbers.map((kind) => next[kind]?.next().value as Topic);
        for (let at = 0; at * step < all.length; at += 1) {
          const connection = (at + time) % 2 === 0 ? 'one' : 'several';
          yield { topics: all.slice(at * step, at * step + LENGTH), connection };
        }
      }
    }
  };
}

function* endless<T>(all: readonly T[]): Generator<T, never> {
  for (;;) yield* all;
}

/** One topic alone, or two by turns, as often as fits: what a connection, or a service, counts. */
function turnsOf(topics: Topic[]): Orders {
  const pairs = topics.flatMap((one) => topics.map((other) => [one, other]));
  const inAnyOrder = () => shuffled(pairs);
  return function* (gen) {
    for (;;)
      for (const turns of gen(inAnyOrder)) {
        const length = turns.every(({ users }) => users === 0) ? LONGEST : LENGTH;
        yield { topics: Array.from({ length }, (_, at) => turns[at % 2] as Topic), connection: 'one' };
      }
  };
}

/** Sequences of cases of these topics, in orders that are drawn. */
function sequencesIn(orders: Orders, topics: Topic[]): Domain<Sequence> {
  const links = topics.map(({ what, params }) => members({ topic: oneOf([what]), params }));
  // An order says which of them comes.
  const link = random<Link>(fc.constant({ topic: '', params: {} }), (value) => links.some((one) => one.has(value)));
  return {
    *draw(gen) {
      const next = new Map(topics.map((topic) => [topic, topic.params.draw(gen)]));
      const linkOf = (topic: Topic): Link => ({ topic: topic.what, params: next.get(topic)?.next().value });
      for (const order = orders(gen); ; ) {
        const { topics, connection } = order.next().value;
        yield { links: topics.map(linkOf), connection };
      }
    },
    has: members({ links: lists(link, LONGEST), connection: oneOf(['one', 'several']) }).has,
    /** Sequences without a half of the cases, a quarter, and so on to one of them. */
    *smaller(whole) {
      const { links } = whole;
      for (let size = links.length >> 1; size > 0; size >>= 1)
        for (let from = 0; from < links.length; from += size)
          yield { ...whole, links: links.filter((_, index) => index < from || index >= from + size) };
    },
  };
}

/** What one case leaves behind for another: sequences of cases of these topics, with nothing else in flight. */
function sequences(what: string, topics: Topic[], orders: Orders, perRound: number): Topic {
  const parts = new Set(topics.flatMap(({ fills }) => fills.map(({ part }) => part)));
  return {
    what,
    params: sequencesIn(orders, topics),
    toCase: ({ links, connection }: Sequence): InTurn => ({
      what: `${links.map(({ topic }) => topic).join(', then ')} (connection: ${connection})`,
      isOnOne: connection === 'one',
      cases: links.map(({ topic: name, params }, at) => {
        const topic = topics.find(({ what }) => what === name) as Topic;
        const before = links[at - 1]?.topic;
        return { topic, one: { ...Object(topic.toCase(params)), ...(before && { after: before }) } };
      }),
    }),
    perRound,
    users: USERS,
    fills: [...parts].flatMap((part): Fill<never>[] => {
      const fill: Fill<never> = {
        part,
        casesOf: ({ cases }: InTurn) =>
          cases.flatMap(({ topic, one }) =>
            topic.fills.flatMap((fill) => (fill.part === part ? fill.casesOf(one as never) : [])),
          ),
      };
      const inTurn = IN_TURN.get(part);
      return inTurn ? [fill, { ...fill, part: inTurn }] : [fill];
    }),
    inTurn: true,
  };
}

/**
 * Each kind of cases after each, and any three kinds in a row: cases that create users, in groups that are a kind each,
 * and others.
 */
export function sequencesOf(creating: Topic[][], others: Topic[][]): Topic[] {
  const [plain = [], ...unusual] = creating;
  const usual = [...creating, ...others].flat().filter(({ isUsual }) => isUsual);
  const pairs = [...creating, ...others.flat().map((topic) => [topic])];
  const triples = [plain, unusual.flat(), ...others];
  return [
    sequences('valid requests on one connection', usual, turnsOf(usual), 2),
    sequences('pairs of cases', pairs.flat(), ordersOf(pairs, 2), 8),
    sequences('triples of cases', triples.flat(), ordersOf(triples, 3), 4),
  ];
}
