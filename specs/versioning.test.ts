import { allHaveBoth, bothWays } from '../tests/judged-by-hand.ts';
import { exchange, listOf } from '../tests/made-evidence.ts';

const look = listOf([]);
const elsewhere = (status: number, isList: boolean) => [{ exchange: exchange({ status }), status, isList }];

bothWays(
  'versioning.base-address',
  { baseUrl: 'http://127.0.0.1/v1/', look },
  { baseUrl: 'http://127.0.0.1/api', look },
  'BASE_URL ending in /v1',
);

for (const slug of ['versioning.needs-segment', 'versioning.unknown-version'])
  bothWays(slug, { elsewhere: elsewhere(404, false) }, { elsewhere: elsewhere(200, true) }, 'got 200 with one');

allHaveBoth('versioning');
