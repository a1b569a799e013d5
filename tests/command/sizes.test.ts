import { expect, test } from 'vitest';
import type { Patch } from '../services/service.ts';
import { judgeHere } from './judge-here.ts';

/** Makes headers of 60,000 characters in all. */
const makeHeaders = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `x-large-${index}`,
      `\u0080${'\u00ff'.repeat(60_000 / count)}`,
    ]),
  );

/** Returns as many headers as the suite reads, in the first responses 1,000, and a large body. */
const large: Patch = (service) => {
  const { handle } = service;
  const manyHeaders = makeHeaders(1000);
  const longHeaders = makeHeaders(100);
  let requests = 0;
  service.handle = async (request) => {
    requests += 1;
    const reply = await handle(request);
    return {
      ...reply,
      headers: { ...(requests <= 5 ? manyHeaders : longHeaders), ...reply.headers },
      body: { ...(reply.body as object), more: '\u0080'.repeat(5000) },
    };
  };
};

/** Shows no user, so that nearly every requirement fails, each by many requests. */
const stale: Patch = (service) => {
  const { handle } = service;
  service.handle = async (request) => {
    const reply = await handle(request);
    return request.method === 'GET' && reply.status === 200
      ? { status: 404, body: { error: 'not yet' } }
      : reply;
  };
};

test.for<{ title: string; patches: Patch[]; minimumNotVerified: number }>([
  { title: 'a service that stays stale', patches: [stale, large], minimumNotVerified: 31 },
  { title: 'a conforming service', patches: [large], minimumNotVerified: 0 },
])(
  'with 1,000 headers and large bodies of $title, reports stay within 20 MB and 300 files',
  async ({ patches, minimumNotVerified }) => {
    const { files, report } = await judgeHere((service) => {
      for (const patch of patches) patch(service);
    });
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeLessThan(20_000_000);
    expect(files.length).toBeLessThan(300);
    expect(report.requirements.length).toBeGreaterThan(60);
    expect(report.counts.MUST['not-verified']).toBeGreaterThanOrEqual(minimumNotVerified);
  },
);
