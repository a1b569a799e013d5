import type { RunInput } from '../api/run.ts';
import { makeReportDir } from '../reports/report-dir.ts';
import { inertLine } from '../reports/text.ts';
import { readSettings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { isCi } from '../settings/variables.ts';
import { listedFailures } from '../verdict/listed-failures.ts';
import { EXIT } from '../verdict/verdict.ts';

/** What `vitest run` hands on to the process of the tests; without a target they judge the embedded reference service. */
type VitestInput = Pick<RunInput, 'settings' | 'knownFailures'> & { target: RunInput['target'] | undefined };

declare module 'vitest' {
  interface ProvidedContext {
    conformance: VitestInput;
  }
}

/** Reads the settings of the environment and of `.env`. Unusable ones end the process with one sentence. */
export async function settingsOfVitest(): Promise<VitestInput> {
  try {
    const { target, ...settings } = readSettings(process.env, process.cwd(), isCi(process.env));
    if (/\*|vite/.test(process.env.DEBUG ?? '')) {
      throw new SettingsError('DEBUG makes Vite print its configuration, and the key with it: unset it.');
    }
    if (settings.start) throw new SettingsError('CONFORMANCE_START is for the command: npm run conformance starts it.');
    if (settings.baseline) throw new SettingsError('CONFORMANCE_BASELINE is for the command: npm run conformance.');
    makeReportDir(settings.reportDir);
    return { target, settings, knownFailures: await listedFailures({ ...settings, ...(target && { target }) }) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${inertLine(error.message)}\n`);
    return process.exit(EXIT.settings);
  }
}
