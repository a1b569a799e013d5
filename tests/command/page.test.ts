import { expect, test } from 'vitest';
import { judgeHere } from './judge-here.ts';

// page-in-browser.test.ts opens pages in a browser.

const SIZE_LIMIT = 300_000;

test.concurrent('every run writes a small page without the key', async () => {
  const { page, report, apiKey } = await judgeHere(() => {});
  expect(Buffer.byteLength(page)).toBeLessThan(SIZE_LIMIT);
  expect(page).toContain('✓ conformant');
  for (const { id, source } of report.requirements) {
    expect(page).toContain(`id="${id}"`);
    expect(page).toContain(source.text);
  }
  for (const name of Object.keys(report.observations)) expect(page).toContain(name);
  expect(page).not.toContain(apiKey);
});

test.concurrent('a page is small if each response has 3,000 headers', async () => {
  const { page, report } = await judgeHere((service) => {
    const { handle } = service;
    const numbers = Array.from({ length: 3000 }, (_, index) => index);
    const manyHeaders = Object.fromEntries(
      numbers.map((number) => [`x-${number}`, '"<&>'.repeat(5)]),
    );
    service.handle = async (request) => {
      const { headers, ...reply } = await handle(request);
      return { ...reply, status: 500, headers: { ...headers, ...manyHeaders } };
    };
  });
  expect(report.verdict).not.toBe('conformant');
  expect(Buffer.byteLength(page)).toBeLessThan(SIZE_LIMIT);
});
