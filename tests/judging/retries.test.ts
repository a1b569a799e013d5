import { expect, test } from 'vitest';
import { judgeAll } from '../run.ts';
import { start } from '../services/service.ts';

test('a retry without a response is not taken for a right one', async () => {
  const service = await start((patched) => {
    const { handle, write } = patched;
    const closing = new WeakSet<object>();
    let isRejected = false;
    patched.handle = (request) => {
      const isChunked = request.headers['transfer-encoding'] === 'chunked';
      if (!isChunked || !patched.authorised(request)) return handle(request);
      if (isRejected) closing.add(request);
      isRejected = true;
      return { status: 400, headers: { connection: 'close' } };
    };
    patched.write = (response, reply, request) => {
      if (closing.has(request)) response.socket?.destroy();
      else write(response, reply, request);
    };
  });
  const run = await judgeAll(service).finally(service.close);
  expect(run.reasons('failed')).toEqual([]);
  expect(run.slugs('not-verified')).toEqual(['http.chunked-body']);
});
