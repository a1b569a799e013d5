import { afterAll, beforeAll, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { chapter, drawn, rfc, should } from '../../specs/requirement.ts';
import { members, oneOf } from '../../src/conduct/domain.ts';
import { topic } from '../../src/conduct/topic.ts';
import { type Exchange, isAnswered } from '../../src/http/exchange.ts';
import { cases, Missing } from '../../src/plan/evidence.ts';
import { isReadable, readList } from '../../src/plan/look.ts';
import { plan, round } from '../../src/plan/plan.ts';
import { sendBad } from '../../src/plan/requests.ts';
import { badStep, type Step } from '../../src/plan/step.ts';
import { firstLook } from '../../src/plan/steps/first.ts';
import { freeRequests } from '../../src/plan/steps/refusals.ts';
import { each, that } from '../../src/requirement/finding.ts';
import { answering, carryOut, lists, NOBODY } from '../answering.ts';
import { bothWays as judgedBothWays } from '../judged-by-hand.ts';
import { exchange, listOf } from '../made-evidence.ts';
import { judgeKept, judgeThoroughly } from '../run.ts';
import { broken } from '../services/broken/broken.ts';
import { deep } from '../services/deep/deep.ts';
import { type Patch, start } from '../services/service.ts';
import { variant } from '../services/variants/variant.ts';
import { blocks, read } from './text.ts';

// The code of docs/adding-a-step.md and docs/adding-drawn-cases.md, to the letter: no part of the suite.

/** A path next to `/users`. */
interface PathCase {
  what: string;
  path: string;
}

/** What a path returns. */
interface PathResult {
  path: string;
  exchange: Exchange;
  status: number;
  isList: boolean;
}

/** `GET` of such paths, with the key. */
const otherPaths: Step<PathResult, PathCase> = badStep({
  name: 'paths next to the list',
  needs: { look: firstLook },
  each: async (run, { path }: PathCase, { look }) => {
    if (!look.ok) throw new Missing('the list itself is not there', [look.exchange]);
    const answer = await sendBad(run, { request: { ...run.listing(), path: `${run.client.basePath}${path}` } }, 'list');
    const { exchange, status } = answer;
    if (!isAnswered(exchange)) throw new Missing(`${exchange.failure}`, [exchange]);
    return { path, exchange, status, isList: isReadable(readList(answer, run.ledger)) };
  },
});

const inSingular: PathCase = { what: 'the path in the singular', path: '/user' };

const declared = chapter('List users', [
  should('list.other-path', rfc(9110, '15.5.5'), {
    sentence: 'A path next to /users does not return the user list.',
    evidence: { others: cases(otherPaths, inSingular) },
    check: ({ others }) =>
      each(others, ({ path, isList, status, exchange }) =>
        that(!isList, `no user list at ${path}`, `${status} with one`, exchange),
      ),
  }),
]);

const pathsDrawn = drawn(otherPaths, inSingular);

const thorough = declared.map((one) => ({ ...one, evidence: { others: pathsDrawn } }));

/** Further paths next to `/users`. */
const drawnPaths = topic(
  { what: 'paths next to the list', perRound: 4 },
  [pathsDrawn],
  members({ path: oneOf(['/members', '/people', '/accounts', '/customers']) }),
  ({ path }) => ({ what: `the path ${path}`, path }),
);

const brokenServices = [
  broken('list.other-path', 'the singular is the list as well', (service) => {
    const { elsewhere } = service;
    service.elsewhere = (request) =>
      request.path === '/v1/user' && service.authorised(request)
        ? { status: 200, body: { data: service.users, total: service.users.length } }
        : elsewhere(request);
  }),
];

const variants = [
  variant('errors', 'a page in the place of every unknown path', (service) => {
    service.elsewhere = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Welcome</p>' });
  }),
];

const deepServices = [
  deep('list.other-path', 'paths next to the list')('customers are the list as well', (service) => {
    const { elsewhere } = service;
    service.elsewhere = (request) =>
      request.path === '/v1/customers' && service.authorised(request)
        ? { status: 200, body: { data: service.users, total: service.users.length } }
        : elsewhere(request);
  }),
];

const one = { what: 'a path', path: '/user' };
const given = { look: listOf([]) };

test('another path has no list', async () => {
  const { run, sent } = answering(NOBODY);
  expect(await carryOut(otherPaths, run, one, given)).toMatchObject({ path: '/user', isList: false, status: 404 });
  expect(sent).toEqual(['GET /v1/user']);
  expect(run.bad.size).toBe(1);
});

test('a path with a list is found', async () => {
  const { run } = answering(lists());
  expect(await carryOut(otherPaths, run, one, given)).toMatchObject({ isList: true, status: 200 });
});

test('without a response it is missing', async () => {
  const { run } = answering('none');
  const missing = { exchanges: [{ failure: 'connection refused' }] };
  await expect(carryOut(otherPaths, run, one, given)).rejects.toMatchObject(missing);
});

const bothWays = (slug: string, holds: object, fails: object, reason: string) =>
  judgedBothWays(slug, { ...holds }, { ...fails }, reason, declared);

const other = (status: number, isList: boolean) => [{ path: '/user', exchange: exchange({ status }), status, isList }];
bothWays('list.other-path', { others: other(404, false) }, { others: other(200, true) }, 'got 200 with one');

// The step has its place in time for as long as this file takes, and the suite has nothing else of its names: who
// follows the pages has it for good.
const lines = [...plan, ...round].filter((line) => line.includes(freeRequests));
const before = lines.map((line) => [...line]);
const others = requirements.filter(({ slug }) => slug !== 'list.other-path');
beforeAll(() => {
  for (const line of lines)
    line.splice(0, line.length, ...line.filter(({ name }) => name !== otherPaths.name), otherPaths);
});
afterAll(() => {
  for (const [at, line] of lines.entries()) line.splice(0, line.length, ...(before[at] ?? []));
});

const judgedBy = async (...patches: Patch[]) => {
  const service = await start(...patches);
  const run = await judgeKept(service, {}, { requirements: [...others, ...declared] }).finally(service.close);
  return { failed: run.slugs('failed'), passed: run.slugs('passed') };
};

test('the requirement holds of a conforming service, and fails alone on the broken one', async () => {
  expect((await judgedBy()).passed).toContain('list.other-path');
  for (const { patch, slug } of brokenServices) expect((await judgedBy(patch)).failed).toEqual([slug]);
  for (const { patch } of variants) {
    const { failed, passed } = await judgedBy(patch);
    expect(failed).toEqual([]);
    expect(passed).toContain('list.other-path');
  }
});

test('a thorough run finds what the default run passes', async () => {
  for (const { patch, slug } of deepServices) {
    const service = await start((one) => patch(one, { count: 0 }));
    const all = { requirements: [...others, ...thorough], only: [slug] };
    const ends = [
      await judgeKept(service, {}, all),
      await judgeThoroughly(service, 7, { topics: [drawnPaths] }, {}, all),
    ];
    await service.close();
    expect(ends.map((run) => run.slugs('failed'))).toEqual([[], [slug]]);
  }
});

test.each(['adding-a-step', 'adding-drawn-cases'])('the code of docs/%s.md is that of this file', (name) => {
  const code = read('tests/docs/example-step.test.ts').replaceAll(/^ +/gm, '');
  const shown = blocks(read(`docs/${name}.md`)).filter(({ language }) => language === 'ts');
  expect(shown.length).toBeGreaterThan(3);
  for (const block of shown) {
    const lines = block.code.replaceAll(/^import .*\n/gm, '').replaceAll(/^( +|export )/gm, '');
    expect(code).toContain(lines.trim().replace(/,$/, ''));
  }
});
