import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { Target } from '../settings/settings.ts';

const NAME = 'user-management-conformance: the target';

/**
 * Hands the target over to the workers that this thread will start: its key, its headers and its certificate's key are secrets.
 * Not by Vitest's configuration, of which DEBUG prints all, and not by the environment, which NODE_DEBUG prints.
 */
export function handOver(target: Target): void {
  setEnvironmentData(NAME, { ...target });
}

/** The target that was handed over to this worker; undefined for the embedded reference service. */
export function handedOver(): Target | undefined {
  return getEnvironmentData(NAME) as unknown as Target | undefined;
}
