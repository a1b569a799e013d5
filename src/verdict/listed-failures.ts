import type { Settings } from '../settings/settings.ts';
import type { ListedFailure } from './known-failures.ts';

/** The accepted failures of the file that settings name; none where they name no file. Rejects with a SettingsError. */
export async function listedFailures({ knownFailures: file, target }: Settings): Promise<ListedFailure[]> {
  if (file === undefined) return [];
  // Loaded only where there is a file: parsers take longer than all settings.
  const { readKnownFailures } = await import('./known-failures.ts');
  return readKnownFailures(file.path, file.name, new Date(), target?.apiKey);
}
