import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads';
import { conduct } from '../conduct/conduct.ts';
import { explorationOf, type LoadTopics } from '../conduct/thorough.ts';
import { shownBy } from '../http/added-headers.ts';
import { redaction } from '../http/redaction.ts';
import { inertLine } from '../reports/text.ts';
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
  const tell = (told: FromThread) => parentPort?.postMessage(told);
  const { redact } = shownBy(redaction(target.apiKey).redact, target.headers ?? []);
  // The last words of a thread that breaks down: an error may hold anything, the key among it.
  const breakDown = (error: unknown) => {
    tell({ kind: 'broken', message: inertLine(redact(error instanceof Error ? error.message : `${error}`)) });
    process.exit(1);
  };
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, breakDown);
  const slugs = requirements.map(({ slug }) => slug);
  const selected = select(slugs, settings.selection);
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
    // What is not caught ends the thread.
    if (asked === 'begin') void carryOut();
    else interrupt.abort();
  });
}
