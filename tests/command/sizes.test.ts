import { expect, test } from 'vitest';
import type { Patch } from '../services/service.ts';
import { judgeByCommand } from './judge-by-command.ts';

/** Answers everything with as much as is read of headers and of a body that says nothing. */
const loud: Patch = (service) => {
  const { handle } = service;
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`x-loud-${index}`, `\u0080${'\u00ff'.repeat(60)}`]),
  );
  service.handle = async (request) => {
    const reply = await handle(request);
    return {
      ...reply,
      headers: { ...many, ...reply.headers },
      body: { ...(reply.body as object), more: '\u0080'.repeat(5000) },
    };
  };
};

/** Fails nearly everything, and each by many requests. */
const lagging: Patch = (service) => {
  const { handle } = service;
  service.handle = async (request) => {
    const reply = await handle(request);
    return request.method === 'GET' && reply.status === 200 ? { status: 404, body: { error: 'not yet' } } : reply;
  };
};

test.concurrent.each([
  ['1,000 headers and a large body with each answer', loud],
  ['a service that lags without end', lagging],
])('%s: the reports stay within 20 MB and 300 files', async (_, patch) => {
  const { files, report } = await judgeByCommand(patch, { CONFORMANCE_SETTLE_MS: '200' });
  expect(files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)).toBeLessThan(20_000_000);
  expect(files.length).toBeLessThan(300);
  expect(report?.requirements.length).toBeGreaterThan(60);
});
