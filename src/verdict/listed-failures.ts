import type { Settings } from '../settings/settings.ts';
import type { ListedFailure } from './accept.ts';

/**
 * Returns the accepted failures of the file in the settings; none if the settings have no file.
 * Rejects with a SettingsError.
 */
export async function listedFailures({
  knownFailures: file,
  target,
}: Settings): Promise<ListedFailure[]> {
  if (file === undefined) return [];
  // Loaded only if there is a file: the parser takes longer to load than all settings.
  const { readKnownFailures } = await import('./known-failures.ts');
  return readKnownFailures(file.path, file.name, new Date(), target?.apiKey);
}
