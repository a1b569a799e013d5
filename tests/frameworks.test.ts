import { describe, expect, test } from 'vitest';
import { judgeAll } from './run.ts';
import { startExpress } from './services/frameworks/express.ts';
import { startFastify } from './services/frameworks/fastify.ts';
import { startSecondService } from './services/second.ts';

describe.concurrent('conforming services that were written another way', () => {
  test.each([
    ['a second reading on plain node:http', startSecondService],
    ['Express 5', startExpress],
    ['Fastify 5', startFastify],
  ])('%s', async (_, startService) => {
    const service = await startService();
    const run = await judgeAll(service).finally(service.close);
    const bad = run.outcomes.filter(
      ({ outcome, level }) => outcome === 'not-verified' || (outcome === 'failed' && level === 'MUST'),
    );
    expect(bad.map(({ slug, reason }) => `${slug}: ${reason}`)).toEqual([]);
  });
});

describe.concurrent('what a busy developer writes first', () => {
  test.each([
    [
      () => startExpress('guard after the routes'),
      ['authentication.list-needs-key', 'authentication.retrieve-needs-key'],
    ],
    [() => startExpress('echo of the body'), ['authentication.key-not-in-answers']],
    [() => startExpress('id by position'), ['retrieve.exact-user', 'retrieve.odd', 'retrieve.unknown']],
    [
      () => startExpress('no validation'),
      [
        'create.body-required',
        'create.email-required',
        'create.members-required',
        'create.name-required',
        'create.object-required',
        'create.strings-only',
        'list.users',
      ],
    ],
    [() => startFastify('required forgotten'), ['create.name-required']],
    [() => startFastify('hook on one route'), ['authentication.retrieve-needs-key']],
    [() => startFastify('prefix of the key'), ['authentication.key-extended']],
    [() => startFastify('total as text'), ['list.total-integer']],
  ])('%s fails %o', async (startService, slugs) => {
    const service = await startService();
    const run = await judgeAll(service).finally(service.close);
    const told = run.outcomes
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ slug, reason }) => `${slug}: ${reason}`);
    expect(run.slugs('failed', 'MUST'), told.join('\n')).toEqual(slugs);
  });
});
