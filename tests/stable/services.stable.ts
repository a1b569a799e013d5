import { describe, test } from 'vitest';
import { expectSameOutcomes } from '../judging/stable.ts';
import { brokenServices } from '../services/broken/index.ts';
import type { Patch } from '../services/service.ts';
import { variants } from '../services/variants/index.ts';

/** The number of runs of each service. STABLE_RUNS sets another number. */
const RUNS = Number(process.env.STABLE_RUNS ?? 10);

interface Kind {
  title: string;
  patch: Patch;
  settings?: object;
}

const kinds = new Map<string, Kind>();
for (const service of brokenServices) {
  const { slug, name } = service;
  if (!kinds.has(slug)) kinds.set(slug, { title: `${slug}: ${name}`, ...service });
}
for (const variant of variants) {
  const { choice, name } = variant;
  if (!kinds.has(choice)) kinds.set(choice, { title: `${choice}: ${name}`, ...variant });
}
const titled = [...kinds.values()].map((kind): [string, Kind] => [kind.title, kind]);

describe.concurrent(`one service of each requirement and choice has the same outcomes ${RUNS} times`, () => {
  test.for(titled)('%s', ([, kind]) => expectSameOutcomes(kind, RUNS));
});
