import { describe, expect, test } from 'vitest';
import { judgeKept } from '../run.ts';
import { startExpress } from '../services/frameworks/express.ts';
import { startFastify } from '../services/frameworks/fastify.ts';
import type { Running } from '../services/listen.ts';
import { startSecondService } from '../services/second.ts';

describe.concurrent('conforming services that were written another way', () => {
  test.each([
    ['a second reading on plain node:http', startSecondService],
    ['Express 5', startExpress],
    ['Fastify 5', startFastify],
  ])('%s', async (_, startService) => {
    const service = await startService();
    const run = await judgeKept(service).finally(service.close);
    expect([...run.reasons('failed', 'MUST'), ...run.reasons('not-verified')]).toEqual([]);
  });
});

describe.concurrent('services with a usual mistake', () => {
  const written: [string, () => Promise<Running>, string[]][] = [
    [
      'Express 5: the guard after the routes',
      () => startExpress('guard after the routes'),
      ['authentication.list-needs-key', 'authentication.retrieve-needs-key'],
    ],
    [
      'Express 5: the token in the create answer',
      () => startExpress('echo of the token'),
      ['authentication.key-not-in-answers'],
    ],
    [
      'Express 5: the last user, whatever the identifier',
      () => startExpress('id by position'),
      ['retrieve.exact-user'],
    ],
    [
      'Express 5: no validation',
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
    [
      'Fastify 5: a member forgotten in `required`',
      () => startFastify('required forgotten'),
      ['create.name-required'],
    ],
    [
      'Fastify 5: a hook that leaves a route out',
      () => startFastify('hook on one route'),
      ['authentication.retrieve-needs-key'],
    ],
    [
      'Fastify 5: only the beginning of the header compared',
      () => startFastify('prefix of the key'),
      ['authentication.key-extended'],
    ],
    ['Fastify 5: the total as text', () => startFastify('total as text'), ['list.total-integer']],
  ];

  test.for(written)('%s', async ([, startService, slugs]) => {
    const service = await startService();
    const run = await judgeKept(service).finally(service.close);
    expect(run.slugs('failed', 'MUST'), run.reasons('failed').join('\n')).toEqual(slugs);
  });
});
