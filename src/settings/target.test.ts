import { expect, test, vi } from 'vitest';
import { readHeaders } from './target.ts';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const readFileSync = (path: URL) => fs.readFileSync(path, 'utf8').replaceAll(/\r?\n/g, '\r\n');
  return { ...fs, readFileSync };
});

test('headers are reserved also where git has made the ends of lines those of Windows', () => {
  for (const name of ['Host', 'Accept-Language', 'X-HTTP-Method-Override', 'X-Forwarded-Method']) {
    expect(() => readHeaders(`${name}: x`, { name: 'HEADERS' })).toThrow(
      `the header ${name} can't be set`,
    );
  }
  expect(readHeaders('X-Forwarded-For: x', { name: 'HEADERS' })).toHaveLength(1);
});
