import { type ParseArgsConfig, parseArgs } from 'node:util';
import { SettingsError } from '../settings/settings-error.ts';

/** Node's parseArgs, whose error becomes one sentence with the hint behind it. Throws a SettingsError. */
export function parseFlags<T extends ParseArgsConfig>(config: T, hint: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\. |\n/);
    throw new SettingsError(`${sentence}. ${hint}`);
  }
}
