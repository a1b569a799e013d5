import { on } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** An event that a test waits for. */
export interface TestEvent {
  /** Resolves once `trigger` is called. */
  happened: Promise<void>;
  trigger: () => void;
}

/** Makes an event that has not happened yet. */
export function makeEvent(): TestEvent {
  let trigger = () => {};
  const happened = new Promise<void>((resolve) => {
    trigger = resolve;
  });
  return { happened, trigger: () => trigger() };
}

/** Resolves once a file exists. Its folder must exist already. */
export async function waitForFile(path: string): Promise<void> {
  const watcher = watch(dirname(path));
  try {
    // The watcher collects changes from here on, so no creation is missed.
    const changes = on(watcher, 'change');
    if (existsSync(path)) return;
    for await (const _ of changes) if (existsSync(path)) return;
  } finally {
    watcher.close();
  }
}
