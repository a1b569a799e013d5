import { requirements } from '../../specs/index.ts';

import { makeReportDir } from '../reports/report-dir.ts';

import { sanitizeLine } from '../reports/text.ts';
import { SettingsError } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import {
  messageWithoutKey,
  readSettings,
  type Settings,
  type Target,
} from '../settings/settings.ts';
import { isCi } from '../settings/variables.ts';
import type { ListedFailure } from '../verdict/accept.ts';
import { listedFailures } from '../verdict/listed-failures.ts';
import { EXIT } from '../verdict/verdict.ts';

declare module 'vitest' {
  interface ProvidedContext {
    conformance: VitestSettings;
  }
}

/** The settings that the process of the tests gets. */
export interface VitestSettings {
  /** Absent if the tests judge the embedded reference service. */
  target: Target | undefined;
  settings: Omit<Settings, 'target'>;
  knownFailures: ListedFailure[];
}

/** Reads the settings from the environment and `.env`. Ends the process if they are unusable. */
export async function readVitestSettings(): Promise<VitestSettings> {
  try {
    const allSettings = readSettings(process.env, process.cwd(), {
      needsTarget: isCi(process.env),
    });
    const { target, ...settings } = allSettings;
    for (const notice of settings.notices)
      process.stdout.write(`notice: ${sanitizeLine(notice)}\n`);
    if (/\*|vite/.test(process.env.DEBUG ?? ''))
      throw new SettingsError(
        'DEBUG makes Vite print its configuration, and the key with it: unset it.',
      );
    if (settings.start)
      throw new SettingsError(
        'CONFORMANCE_START is for the command: npm run conformance starts it.',
      );
    if (settings.baseline)
      throw new SettingsError('CONFORMANCE_BASELINE is for the command: npm run conformance.');
    select(requirements, settings.selection);
    makeReportDir(settings.reportDir);
    return { target, settings, knownFailures: await listedFailures(allSettings) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const message = messageWithoutKey(error, process.env, process.cwd());
    process.stderr.write(`${sanitizeLine(message)}\n`);
    return process.exit(EXIT.settings);
  }
}
