import { SettingsError } from '../settings/settings-error.ts';
import { parseFlags } from './parse-flags.ts';

/** Reads what `compare` and `merge` are given: report directories and --output. Throws a SettingsError. */
export function readReportDirs(name: 'compare' | 'merge', args: string[]) {
  const options = { output: { type: 'string' } } as const;
  const hint = `${name} takes report directories and --output DIR.`;
  const { values, positionals } = parseFlags({ args, allowPositionals: true, options }, hint);
  if (positionals.length === 0) {
    throw new SettingsError(`${name} needs the report directories of runs: ${name} DIR… [--output DIR].`);
  }
  return { ...values, reportDirs: positionals };
}
