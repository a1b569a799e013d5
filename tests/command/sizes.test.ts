import { expect, test } from 'vitest';
import type { Patch } from '../services/service.ts';
import { judgeHere } from './judge-here.ts';

/**
 * Answers everything with as much as is read of headers, the first ones of very many, and of a body that says nothing.
 */
const loud: Patch = (service) => {
  const { handle } = service;
  const headers = (many: number) =>
    Object.fromEntries(
      Array.from({ length: many }, (_, index) => [
        `x-loud-${index}`,
        `\u0080${'\u00ff'.repeat(60_000 / many)}`,
      ]),
    );
  const [many, large] = [headers(1000), headers(100)];
  let asked = 0;
  service.handle = async (request) => {
    asked += 1;
    const reply = await handle(request);
    return {
      ...reply,
      headers: { ...(asked <= 5 ? many : large), ...reply.headers },
      body: { ...(reply.body as object), more: '\u0080'.repeat(5000) },
    };
  };
};

/** Fails nearly everything, and each by many requests. */
const lagging: Patch = (service) => {
  const { handle } = service;
  service.handle = async (request) => {
    const reply = await handle(request);
    return request.method === 'GET' && reply.status === 200
      ? { status: 404, body: { error: 'not yet' } }
      : reply;
  };
};

const bytesOf = (files: { bytes: number }[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

const CASES: [string, Patch[]][] = [
  ['of a service that lags without end', [lagging, loud]],
  ['of a service that is right', [loud]],
];

test.for(CASES)(
  '1,000 headers and large bodies %s: the reports stay within 20 MB and 300 files',
  async ([, patches]) => {
    const { files, report } = await judgeHere((service) => {
      for (const patch of patches) patch(service);
    });
    expect(bytesOf(files)).toBeLessThan(20_000_000);
    expect(files.length).toBeLessThan(300);
    expect(report.requirements.length).toBeGreaterThan(60);
    if (patches.includes(lagging)) expect(report.counts.MUST['not-verified']).toBeGreaterThan(30);
  },
);
