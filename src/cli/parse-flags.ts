import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from '../settings/nearest.ts';
import { SettingsError } from '../settings/settings-error.ts';

/** Node's parseArgs, whose error becomes one sentence, with the flag that may have been meant or the hint. Throws a SettingsError. */
export function parseFlags<T extends ParseArgsConfig>(config: T, hint: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(sentence) ?? [];
    const meant = unknown && nearest(unknown, Object.keys(config.options ?? {}));
    throw new SettingsError(meant ? `${sentence}: did you mean --${meant}?` : `${sentence}. ${hint}`);
  }
}
