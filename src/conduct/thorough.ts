import type { Settings } from '../settings/settings.ts';
import type { Exploration } from './explore.ts';
import type { Topic } from './topic.ts';

/** How long a thorough run sends nothing, once: longer than most pools and proxies keep an idle connection. */
const IDLE_PAUSE_MS = 10_500;

/** Loads what a thorough run explores: only such a run waits for it. */
export type LoadTopics = () => Promise<readonly Topic[]>;

/** What the settings ask to be explored; nothing where the run is not to be thorough. */
export async function explorationOf(
  { thorough, seed, budgetMs, maxRequests, maxUsers }: Settings,
  topics: LoadTopics,
  onProgress?: Exploration['onProgress'],
): Promise<{ exploration?: Exploration }> {
  if (!thorough || seed === undefined) return {};
  const bounds = { seed, budgetMs, requests: maxRequests, users: maxUsers, pauseMs: IDLE_PAUSE_MS };
  return { exploration: { topics: await topics(), ...bounds, ...(onProgress && { onProgress }) } };
}
