import fc, { type Arbitrary } from 'fast-check';
import { type Topic, topic } from '../../src/conduct/topic.ts';
import { cases } from '../../src/plan/evidence.ts';
import type { Creation } from '../../src/plan/ledger.ts';
import { firstKnown } from '../../src/plan/steps/first.ts';
import { type ListCase, listsAgain } from '../../src/plan/steps/lists.ts';
import { type QueryCase, queries } from '../../src/plan/steps/queries.ts';
import { type RereadCase, rereads } from '../../src/plan/steps/rereads.ts';
import { type Row, type RowsCase, refusalsInARow } from '../../src/plan/steps/row.ts';
import { queriesInTurn, type RowOfQueries } from '../../src/plan/steps/sticky.ts';
import { retrievalsAfterMalformed, retrievalsAfterRefusals, type WritingCase } from '../../src/plan/steps/writings.ts';
import { inTurn, rowOf } from './drawn.ts';

const QUERIES = [
  ...[
    'page=1',
    'page=2',
    'page=0',
    'page=-1',
    'page=x',
    'page=99999999999999999999',
    'page%5B%5D=1',
    'page=1&page=2',
    'page=1&per_page=1',
  ],
  ...[
    'limit=1',
    'limit=0',
    'limit=-1',
    'limit=1000000',
    'limit=x',
    'limit=1&offset=1',
    'offset=999999',
    'offset=-1',
    'size=1',
    'per_page=1',
    'pageSize=1',
  ],
  ...[
    'sort=name',
    'sort=-name',
    'sort=x',
    'order=desc',
    'orderBy=email',
    'sort=name;DROP%20TABLE%20users',
    "sort='",
    'sort=name&order=asc',
    'sort=name%20desc',
  ],
  ...[
    "q='",
    'q=%25',
    'q=x',
    'search=a',
    'filter=x',
    'filter%5Bname%5D=x',
    'name=x',
    'email=x',
    "name='%20OR%201=1--",
    'id=1',
    'ids=1,2',
    'where=1=1',
  ],
  ...[
    'cursor=x',
    'after=x',
    'before=1',
    'from=0&to=1',
    'skip=1&take=1',
    '$top=1',
    '$skip=1',
    '$filter=x',
    'fields=email,name',
    'include=x',
    'expand=x',
  ],
];
const query = QUERIES.map((text): QueryCase => ({ what: `the query ${text}`, query: `?${text}` }));

const again: Arbitrary<RereadCase> = fc.oneof(
  fc.constantFrom<RereadCase>(
    { what: 'the newest user', pick: (proven) => proven.at(-1) },
    { what: 'the oldest user', pick: ([oldest]) => oldest },
    { what: 'the second user', pick: ([, second]) => second },
  ),
  fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }).map((share) => ({
    what: 'a user of the run',
    pick: (proven: readonly Creation[]) => proven[Math.floor(share * proven.length)],
  })),
);
const row = (what: string, count: number, make: Row['make']): Row => ({
  what: `${count} ${what}`,
  count,
  make,
});
const ROWS = [
  row('wrong keys in a row', 24, (run) => run.listing({ authorization: `Bearer ${run.client.wrongKey}` })),
  row('malformed bodies in a row', 24, (run) => run.creating('{"email":')),
  row('retrievals of nobody in a row', 24, (run) => run.retrieval('null')),
  row('retrievals with a wrong key in a row', 40, (run) => {
    const { identifier } = firstKnown(run);
    return run.retrieval(identifier.segment, { authorization: `Bearer ${run.client.wrongKey}` });
  }),
  row('creations that are given up half-way', 12, (run) => ({
    ...run.creating(run.factory.make()),
    framing: 'aborted',
    connection: 'new',
  })),
  row('creations without a key in a row', 24, (run) => run.creating('{}', {})),
];

const asUsual = fc.constant<WritingCase>({ what: 'as usual' });

export const reads: Topic[] = [
  topic({
    what: 'known users again',
    cases: rowOf(again),
    perRound: 36,
    judgedBy: {
      'retrieve.repeatable': (all: RereadCase[]) => ({ later: cases(rereads, ...all) }),
      'retrieve.exact-user': (all) => ({ later: cases(rereads, ...all) }),
      'retrieve.concurrent': (all) => ({ again: cases(rereads, ...all) }),
    },
    ofEach: (user) => ({ what: user.what, pick: () => user }),
  }),
  topic({
    what: 'query parameters',
    cases: inTurn(query),
    perRound: 14,
    judgedBy: { 'http.no-server-error': (all: QueryCase[]) => ({ queried: cases(queries, ...all) }) },
  }),
  topic({
    what: 'lists as usual',
    cases: rowOf(fc.constant<ListCase>({ what: 'as usual' })),
    perRound: 6,
    judgedBy: {
      'list.contains-created': (all: ListCase[]) => ({ again: cases(listsAgain, ...all) }),
      'list.users': (all) => ({ again: cases(listsAgain, ...all) }),
      'list.data-array': (all) => ({ again: cases(listsAgain, ...all) }),
      'list.answers': (all) => ({ again: cases(listsAgain, ...all) }),
    },
  }),
  topic({
    what: 'lists after a query',
    cases: inTurn(QUERIES).map((all) =>
      Array.from({ length: all.length / 8 }, (_, index): RowOfQueries => {
        const queries = all.slice(8 * index, 8 * index + 8).map((text) => `?${text}`);
        return { what: queries.join(', '), queries };
      }),
    ),
    perRound: 1,
    judgedBy: {
      'list.total-unchanged-by-reads': (all: RowOfQueries[]) => ({ queried: cases(queriesInTurn, ...all) }),
    },
  }),
  topic({
    what: 'refused requests in a row',
    cases: inTurn(ROWS).map((all) =>
      Array.from({ length: all.length / 2 }, (_, index): RowsCase => {
        const rows = all.slice(2 * index, 2 * index + 2);
        return { what: rows.map(({ what }) => what).join(', '), rows };
      }),
    ),
    perRound: 1,
    judgedBy: {
      'http.survives-bad-requests': (all: RowsCase[]) => ({ rows: cases(refusalsInARow, ...all) }),
    },
  }),
  topic({
    what: 'usual requests after refused ones',
    cases: rowOf(asUsual),
    perRound: 20,
    judgedBy: {
      'http.survives-bad-requests': (all: WritingCase[]) => ({
        retrieved: cases(retrievalsAfterRefusals, ...all.slice(0, all.length / 2)),
        retrievedLater: cases(retrievalsAfterMalformed, ...all.slice(all.length / 2)),
      }),
    },
  }),
];
