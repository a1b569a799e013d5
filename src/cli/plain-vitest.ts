import type { ViteUserConfig } from 'vitest/config';
import { suite } from '../../specs/suite.ts';
import { inertLine } from '../reports/text.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { EXIT } from '../verdict/verdict.ts';
import { configure } from '../vitest/configure.ts';
import { ROOT } from './root.ts';

/** The configuration of a run that Vitest itself starts. Unusable settings end the process with one sentence. */
export async function configurationOrExit(): Promise<ViteUserConfig> {
  try {
    const { configuration, settings } = await configure(suite, ROOT);
    if (settings.start) throw new SettingsError('CONFORMANCE_START is for the command: npm run conformance starts it.');
    return configuration;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${inertLine(error.message)}\n`);
    return process.exit(EXIT.settings);
  }
}
