import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { select } from '../../src/settings/selection.ts';
import { judgeAll } from '../run.ts';
import { startHere } from '../services/here.ts';
import { oneOf } from '../services/sample.ts';
import { withPeople } from '../services/service.ts';

const slugs = requirements.map(({ slug }) => slug);
const chapters = [...new Set(slugs.map((slug) => slug.split('.')[0]))];

describe.concurrent('what a selection leaves is judged as in a whole run', () => {
  test.for([...oneOf(12, slugs), ...chapters.map((chapter) => `${chapter}.*`)])('only %s', async (pattern) => {
    const service = await startHere(withPeople);
    const chosen = select(requirements, { only: [pattern], skip: [] }).map(({ slug }) => slug);
    const run = await judgeAll(service, {}, { only: chosen, kept: true }).finally(service.close);
    expect(run.outcomes.map(({ slug }) => slug)).toEqual(chosen);
    expect(run.notPassed()).toEqual([]);
  });
});
