import { expect } from 'vitest';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import type { Patch } from '../services/service.ts';

interface Judgeable {
  patch: Patch;
  settings?: object;
}

/** Expects that a service has the same outcomes each time that it is judged. */
export async function expectSameOutcomes(service: Judgeable, runs: number): Promise<void> {
  const first = await outcomesOf(service);
  for (let times = 2; times <= runs; times += 1) {
    expect(await outcomesOf(service), `judged ${times} times`).toEqual(first);
  }
}

async function outcomesOf({ patch, settings }: Judgeable): Promise<string[]> {
  const service = await startHere(patch);
  const run = await judgeKept(service, settings).finally(service.close);
  return run.outcomes.map(({ slug, outcome }) => `${slug}: ${outcome}`);
}
