import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { select } from '../../src/settings/selection.ts';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { withPeople } from '../services/service.ts';

const slugs = requirements.map(({ slug }) => slug);
const chapters = [...new Set(slugs.map((slug) => slug.split('.')[0]))];

describe.concurrent('selected requirements have the outcomes of a whole run', () => {
  test.for([...slugs, ...chapters.map((chapter) => `${chapter}.*`)])('only %s', async (pattern) => {
    const service = await startHere(withPeople);
    const chosen = select(requirements, { only: [pattern], skip: [] }).map(({ slug }) => slug);
    const run = await judgeKept(service, {}, { only: chosen }).finally(service.close);
    expect(run.outcomes.map(({ slug }) => slug)).toEqual(chosen);
    expect(run.notPassed()).toEqual([]);
  });
});
