import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { brokenServices } from '../services/broken/index.ts';
import { PARTS } from './broken.ts';

test('each broken service is judged by one file', () => {
  const chapters = [...new Set(brokenServices.map(({ slug }) => slug.split('.')[0]))];
  expect(Object.values(PARTS).flat().sort()).toEqual(chapters.sort());
});

test('each has a name of its own', () => {
  const names = brokenServices.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

describe('no check is idle', () => {
  test.each(requirements)('$slug alone catches a service', ({ slug }) => {
    // A 500 breaks a recommendation, too, whatever was sent.
    const caughtByItAlone = brokenServices.filter(
      (one) =>
        one.slug === slug &&
        one.mayAlso === undefined &&
        one.also.every((other) => other === 'http.no-server-error'),
    );
    expect(caughtByItAlone.length).toBeGreaterThan(0);
  });

  test.each(requirements.filter(({ level }) => level === 'MUST'))(
    '$slug catches two kinds of fault',
    ({ slug }) => {
      expect(brokenServices.filter((one) => one.slug === slug).length).toBeGreaterThan(1);
    },
  );
});
