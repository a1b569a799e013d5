import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { brokenServices } from '../services/broken/index.ts';
import { PARTS } from './broken.ts';

test('each broken service is judged by one file', () => {
  const chapters = [...new Set(brokenServices.map(({ slug }) => slug.split('.')[0]))];
  expect(Object.values(PARTS).flat().sort()).toEqual(chapters.sort());
});

test('each broken service has a unique name', () => {
  const names = brokenServices.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

describe('each check is needed', () => {
  test.each(requirements)('$slug alone catches a service', ({ slug }) => {
    // A 500 always fails http.no-server-error as well.
    const caught = brokenServices.filter(
      (service) =>
        service.slug === slug &&
        service.mayAlso === undefined &&
        service.also.every((other) => other === 'http.no-server-error'),
    );
    expect(caught.length).toBeGreaterThan(0);
  });

  test.each(requirements.filter(({ level }) => level === 'MUST'))(
    '$slug catches two kinds of fault',
    ({ slug }) => {
      const services = brokenServices.filter((service) => service.slug === slug);
      expect(services.length).toBeGreaterThan(1);
    },
  );
});
