import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { repeatLines } from '../../src/reports/curl.ts';
import { statusByCurl } from '../repeat.ts';
import { judgeKept } from '../run.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';

// The tests of broken services check all curl lines without curl.

const hasCurl = spawnSync('curl', ['--version']).error === undefined;
if (!hasCurl) console.log('curl is not installed: no curl line is run');
const SAMPLE: [name: string, slug: string][] = [
  ['api_key in the query is good for creating', 'authentication.key-in-query'],
  ['headers are cached for each connection, without regard to case', 'authentication.key-case'],
  [
    'the connection on which JSON was cut short answers 500 from then on',
    'http.survives-bad-requests',
  ],
  ['a body in chunks is refused', 'http.chunked-body'],
  ['an odd identifier is 500', 'retrieve.odd-status'],
];

test.concurrent.for(hasCurl ? SAMPLE : [])('curl gets the same: %s', async ([name, slug]) => {
  const service = await start(brokenBy(name));
  try {
    const { outcomes } = await judgeKept(service);
    const { exchanges = [], recipe = [] } = outcomes.find((one) => one.slug === slug) ?? {};
    const lines = repeatLines(recipe, service.baseUrl);
    const status = exchanges.at(-1)?.response?.status;
    expect(await statusByCurl(lines, service.apiKey), lines.join('\n')).toBe(status);
  } finally {
    await service.close();
  }
});
