import { nearest } from './nearest.ts';
import { settingRows } from './table.ts';

const VARIABLES = settingRows.map(({ variable }) => variable);

/** Whether a variable is a setting. */
export function isSetting(name: string): boolean {
  return VARIABLES.includes(name);
}

/** The setting that somebody may have meant by the name of another variable. */
export function meantBy(name: string): string | undefined {
  return isSetting(name) || name.length > 80 ? undefined : nearest(name, VARIABLES);
}

/** What is wrong with a variable that begins like one of the suite and is no setting, a sentence; undefined for any other. */
export function unknownName(name: string): string | undefined {
  if (isSetting(name) || !/^_*con?f/i.test(name)) return undefined;
  const meant = meantBy(name);
  if (meant?.startsWith('CONFORMANCE_')) return `${name} is not a setting: did you mean ${meant}?`;
  if (!/^CONFORMANCE_/i.test(name)) return undefined;
  const own = VARIABLES.filter((one) => one.startsWith('CONFORMANCE_'));
  return `${name} is not a setting; the settings are ${own.join(', ')}.`;
}
