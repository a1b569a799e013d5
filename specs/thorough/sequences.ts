import fc from 'fast-check';
import { type Domain, members, oneOf, shuffled } from '../../src/conduct/domain.ts';
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

/** How often each order of kinds comes, before what is drawn is drawn again. */
const TIMES = 2;

/** Cases of a sequence. */
const LENGTH = 24;
/** Of reads alone. */
const LONGEST = 50;
/** Users that they create at most, but for a few sequences. */
const USERS = 6;

/** Topics whose cases need others before them, or are many requests. */
const NOT_SINGLE = [
  'users who share a name or an email',
  'rejected requests in a row',
  'plain users of two known words',
  'plain addresses of one known word',
];

/** What is judged of cases in turn by another requirement than of those at the same time. */
const IN_TURN = new Map<unknown, Fill<never>['part']>([
  [createdTogether, createdInTurn],
  [keptTogether, keptInTurn],
]);

/**
 * Numbers below `size` in an order in which every `order` of them stand one after the other, once: an Eulerian circuit through
 * all shorter rows of them (Hierholzer).
 */
function eachInARow(size: number, order: number): number[] {
  const open = new Map<string, number[]>();
  const way = [Array.from({ length: order - 1 }, () => 0)];
  const found: number[] = [];
  for (let node = way.at(-1); node; node = way.at(-1)) {
    const sum = node.reduce((sum, one) => 7 * sum + one, 0);
    // Each goes on with others first, so that the beginning has something of everything.
    const left = open.get(`${node}`) ?? Array.from({ length: size }, (_, index) => (index + sum) % size);
    open.set(`${node}`, left);
    const next = left.pop();
    if (next !== undefined) way.push([...node.slice(1), next]);
    else found.unshift(way.pop()?.at(-1) ?? 0);
  }
  return found;
}

/** Sequences in which so many cases stand in a row in every order of their kinds; what ends one begins the next. */
function sequencesIn(kinds: Topic[][], order: number): Domain<Sequence> {
  const topics = kinds.flat();
  const step = LENGTH - order + 1;
  const inARow = eachInARow(kinds.length, order);
  const row = fc
    .tuple(shuffled([...kinds.keys()]), ...topics.map(({ params }) => params.row))
    .map(([labels, ...rows]) => {
      const counts = new Map<unknown, number>();
      const nextOf = <T>(of: T[]): T => {
        const count = counts.get(of) ?? 0;
        counts.set(of, count + 1);
        return of[count % of.length] as T;
      };
      // Each time with other cases, and on one connection where it was on several before.
      return Array.from({ length: TIMES }, (_, time) => {
        const all = inARow.map((label): Link => {
          const topic = nextOf(kinds[labels[label] as number] as Topic[]);
          return { topic: topic.what, params: nextOf(rows[topics.indexOf(topic)] as unknown[]) };
        });
        return Array.from({ length: Math.ceil(all.length / step) }, (_, at): Sequence => {
          const connection = (at + time) % 2 === 0 ? 'one' : 'several';
          return { links: all.slice(at * step, at * step + LENGTH), connection };
        });
      }).flat();
    });
  const isLink = (one: Partial<Link> | null) =>
    topics.some(({ what, params }) => what === one?.topic && params.has(one.params)) &&
    Object.keys(one ?? {}).length === 2;
  const isOneOf = (value: unknown): value is Link[] =>
    Array.isArray(value) && value.length > 0 && value.length <= LONGEST && value.every(isLink);
  const links: Domain<Link[]> = { row: fc.constant([]), has: isOneOf };
  const { has } = members({ links, connection: oneOf(['one', 'several']) });
  return { row, has };
}

/** Rows of cases of one topic alone, or of two by turns, of every length: what a connection, or a service, counts. */
function rowsOf(topics: Topic[]): Domain<Sequence> {
  const { has } = sequencesIn([topics], 2);
  const pairs = topics.flatMap((one) => topics.map((other) => [one, other]));
  const row = fc.tuple(shuffled(pairs), ...topics.map(({ params }) => params.row)).map(([all, ...rows]) =>
    all.map((turns, place): Sequence => {
      const length = turns.every(({ users }) => users === 0) ? LONGEST : LENGTH;
      const links = Array.from({ length }, (_, at): Link => {
        const topic = turns[at % 2] as Topic;
        return { topic: topic.what, params: rows[topics.indexOf(topic)]?.[place * LENGTH + at] };
      });
      return { links, connection: 'one' };
    }),
  );
  return { row, has };
}

/** What one case leaves behind for another: sequences of cases of these topics, with nothing else under way. */
function sequences(what: string, topics: Topic[], params: Domain<Sequence>, perRound: number): Topic {
  const parts = new Set(topics.flatMap(({ fills }) => fills.map(({ part }) => part)));
  return {
    what,
    params,
    toCase: ({ links, connection }: Sequence): InTurn => ({
      what: `${links.map(({ topic }) => topic).join(', then ')} (connection: ${connection})`,
      isOnOne: connection === 'one',
      cases: links.map(({ topic: name, params }, at) => {
        const topic = topics.find((one) => one.what === name && one.params.has(params)) as Topic;
        const before = links[at - 1]?.topic;
        return { topic, params, one: { ...Object(topic.toCase(params as never)), ...(before && { after: before }) } };
      }),
    }),
    perRound,
    users: USERS,
    reads: false,
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
    smaller: shorter,
    inTurn: true,
  };
}

/** Sequences without a half of the cases, a quarter, and so on to one of them. */
function* shorter(whole: Sequence): Iterable<Sequence> {
  const { links } = whole;
  for (let size = links.length >> 1; size > 0; size >>= 1)
    for (let from = 0; from < links.length; from += size)
      yield { ...whole, links: links.filter((_, index) => index < from || index >= from + size) };
}

/** Each kind of cases after each, and any three kinds in a row: cases that create users, in groups that are a kind each, and others. */
export function sequencesOf(creating: Topic[][], others: Topic[][]): Topic[] {
  const single = (topics: Topic[]) => topics.filter(({ what }) => !NOT_SINGLE.includes(what));
  const alone = others.flatMap(single).map((topic) => [topic]);
  const [plain, ...unusual] = creating.map(single);
  const usual = [...creating, ...others].flat().filter(({ isUsual }) => isUsual);
  const after = (what: string, kinds: Topic[][], order: number, perRound: number) =>
    sequences(what, kinds.flat(), sequencesIn(kinds, order), perRound);
  return [
    sequences('usual requests on one connection', usual, rowsOf(usual), 2),
    after('cases after each other', [...creating.map(single), ...alone], 2, 8),
    after('three cases in a row', [plain ?? [], unusual.flat(), ...others.map(single)], 3, 4),
  ];
}
