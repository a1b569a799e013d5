import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads';
import { conduct } from '../conduct/conduct.ts';
import { explorationOf, type LoadTopics } from '../conduct/thorough.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { select } from '../settings/selection.ts';
import type { Target } from '../settings/settings.ts';
import { type FromThread, TARGET, type ThreadData, type ToThread } from './messages.ts';

/**
 * The thread's side of a Conductor: carries out a run of these requirements each time it is asked to. `serve` starts the
 * embedded reference, for runs without a target.
 */
export async function conductWhenAsked(
  requirements: Requirement[],
  topics: LoadTopics,
  serve: () => Promise<Target>,
): Promise<void> {
  const settings: ThreadData = workerData;
  const target = (getEnvironmentData(TARGET) as unknown as Target | undefined) ?? (await serve());
  const slugs = requirements.map(({ slug }) => slug);
  const selected = select(slugs, settings.selection);
  const tell = (told: FromThread) => parentPort?.postMessage(told);
  let interrupt = new AbortController();
  const carryOut = async () => {
    interrupt = new AbortController();
    const conducted = await conduct({
      requirements,
      isWanted: (slug) => selected.has(slug),
      target,
      settings,
      ...(await explorationOf(settings, topics, (progress) => tell({ kind: 'progress', progress }))),
      signal: interrupt.signal,
      onOutcome: (outcome) => tell({ kind: 'outcome', outcome }),
    });
    tell({ kind: 'conducted', conducted });
  };
  tell({
    kind: 'ready',
    baseUrl: target.baseUrl,
    requirements: requirements.map(({ check, evidence, ...info }) => info),
  });
  parentPort?.on('message', (asked: ToThread) => {
    // What is not caught ends the thread, and is told as the error that ended it.
    if (asked === 'begin') void carryOut();
    else interrupt.abort();
  });
}
