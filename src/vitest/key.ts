import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const NAME = 'user-management-conformance: the key';

/**
 * Hands the key over to the workers that this thread will start. Not by Vitest's configuration, of which DEBUG prints all, and
 * not by the environment, which whatever a worker starts would inherit.
 */
export function handOverKey(key: string): void {
  setEnvironmentData(NAME, key);
}

/** The key that was handed over to this worker; empty where there was none. */
export function handedOverKey(): string {
  return String(getEnvironmentData(NAME) ?? '');
}
