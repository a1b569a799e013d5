import { expect, test } from 'vitest';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { KEY, testForms } from './shown.ts';

testForms([KEY]);

test.concurrent('what a service sends with the key in it is not sent back', async () => {
  const service = await startHere((patched) => {
    patched.key = KEY;
    patched.users.push({ id: `${KEY}-1`, email: 'ada@example.org', name: 'Ada Lovelace' });
    const { handle } = patched;
    patched.handle = async (request) => {
      const reply = await handle(request);
      const headers = { etag: `"${KEY}-${patched.users.length}"`, 'set-cookie': `session=${KEY}` };
      return reply.status < 300 ? { ...reply, headers: { ...reply.headers, ...headers } } : reply;
    };
  });
  const { record } = await judgeKept(service).finally(service.close);
  const sent = record.map(({ request: { path, headers, body } }) => [
    path,
    ...Object.values(headers),
    body,
  ]);
  expect(sent.length).toBeGreaterThan(100);
  expect(JSON.stringify(sent)).not.toContain(KEY);
});
