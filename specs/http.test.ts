import type { Exchange } from '../src/http/exchange.ts';
import { allHaveBoth, bothWays } from '../tests/judged-by-hand.ts';
import { creation, exchange, lastLooks, listOf, readOf, tried, user, whole } from '../tests/made-evidence.ts';

const json = (changes: Exchange['response'] | object) =>
  whole({
    record: [exchange({ body: '{}', response: { headers: [['content-type', 'application/json']], ...changes } })],
  });

bothWays('http.json', { run: json({}) }, { run: json({ jsonFault: 'no value' }) }, 'no value');
bothWays('http.content-type', { run: json({}) }, { run: json({ headers: [] }) }, 'got none');
bothWays('http.no-byte-order-mark', { run: json({}) }, { run: json({ byteOrderMark: true }) }, 'got a byte order mark');
bothWays('http.no-server-error', { run: json({}) }, { run: json({ status: 500 }) }, 'got 500');

const looks = (...statuses: number[]) =>
  whole({ looks: statuses.map((status) => ({ ...listOf([]), exchange: exchange({ status }) })) });
bothWays('http.no-sporadic-error', { run: looks(200, 200) }, { run: looks(200, 500) }, 'got 500');

const result = (status: number) => ({
  creation: creation('c@example.com', 'Ada Lovelace', {
    ...{ exchange: exchange({ status }), answered: status < 300 ? ('created' as const) : ('refused' as const) },
  }),
  candidates: [],
});
const [taken, refused] = [result(201), result(415)];
for (const slug of ['http.chunked-body', 'http.media-type'])
  bothWays(slug, { created: [tried(taken)] }, { created: [tried(refused, taken, refused)] }, 'got 415');

const ada = user('a');
const [as, unlike] = [ada.read, readOf()].map((read) => ({ creation: ada.creation, read }));
bothWays(
  'http.equivalent-requests',
  { retrieved: [tried(as)] },
  { retrieved: [tried(unlike, as, unlike)] },
  'expected the same response as to the usual request, got 404 (a case)',
);

const [fails, works] = [result(500).creation, result(201).creation];
const atEnd = lastLooks(listOf([]), listOf([]), { created: tried(works) });
const pair = (status: number) => {
  return { before: exchange({ status: 400 }), after: exchange({ status }), isRight: status < 300 };
};
bothWays(
  'http.survives-bad-requests',
  { after: [tried(pair(200))], looks: atEnd },
  { after: [tried(pair(500), pair(200), pair(500))], looks: atEnd },
  'got 500 each time after that request',
);
bothWays(
  'http.survives-bad-requests',
  { looks: lastLooks(listOf([]), listOf([]), { created: tried(fails, works) }) },
  { looks: lastLooks(listOf([]), listOf([]), { created: tried(fails, fails) }) },
  'got 500 after the rejected requests; no later creation succeeds',
);
const harm = { first: exchange({ status: 400 }), again: exchange({ status: 400 }), after: exchange({ status: 500 }) };
bothWays(
  'http.survives-bad-requests',
  { looks: atEnd },
  { looks: atEnd, run: whole({ culprits: [harm] }) },
  'got 500, each time after GET /v1/users',
);

allHaveBoth('http');
