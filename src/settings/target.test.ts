import { expect, test, vi } from 'vitest';
import { readHeaders } from './target.ts';

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const readFileSync = (path: URL) => fs.readFileSync(path, 'utf8').replaceAll(/\r?\n/g, '\r\n');
  return { ...fs, readFileSync };
});

test('headers are also reserved in a checkout with line endings of Windows', () => {
  for (const name of ['Host', 'Accept-Language', 'X-HTTP-Method-Override', 'X-Forwarded-Method']) {
    expect(() => readHeaders(`${name}: x`, 'HEADERS')).toThrow(`the header ${name} can't be set`);
  }
  expect(readHeaders('X-Forwarded-For: x', 'HEADERS')).toHaveLength(1);
});
