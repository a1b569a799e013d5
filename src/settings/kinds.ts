import { resolve } from 'node:path';
import { SettingsError } from './settings-error.ts';

/** The variable that errors name, and the working directory from which paths are found. */
export interface Place {
  variable: string;
  directory: string;
}

/** What the values of a setting are, and how one is read from its text. */
export interface Kind<Value> {
  /** What the help shows behind the flag; a flag without it is a switch. */
  value?: string;
  /** The unit of a number: the variable's name ends in it. */
  unit?: string;
  /** Several values may follow the flag. */
  list?: true;
  /** The flag may be given several times: each gives a line. */
  repeated?: true;
  /** Reads a text, which is empty where nothing is set and there is no default. Throws a SettingsError. */
  read: (text: string, place: Place) => Value;
}

/** A text of any kind. */
export const text = (value: string): Kind<string> => ({ value, read: (given) => given });

/** A setting that may be left empty: it then has no value at all. */
export const optional = <Value>(kind: Kind<Value>): Kind<Value | undefined> => ({
  ...kind,
  read: (given, place) => (given === '' ? undefined : kind.read(given, place)),
});

/** A kind of which `find` gives the value, or nothing where the text is not `what` it must be. */
function kindOf<Value>(what: string, find: (text: string, place: Place) => Value | undefined): Kind<Value> {
  return {
    read: (given, place) => {
      const value = find(given, place);
      if (value !== undefined) return value;
      throw new SettingsError(`${place.variable} is "${given}": it must be ${what}.`);
    },
  };
}

/** On or off. */
export const onOff = kindOf('1 or true for on, 0, false or empty for off', (given) =>
  ['1', 'true'].includes(given) ? true : ['0', 'false'].includes(given) ? false : undefined,
);

/** One of these words. */
export const oneOf = <Word extends string>(words: readonly Word[]): Kind<Word> => ({
  ...kindOf(words.join(' or '), (given) => words.find((one) => one === given)),
  value: 'WHAT',
});

/** A whole number in some unit, read as a number of the smaller unit that the code uses: `factor` of it. */
function wholeNumber(least: number, most = 999_999_999, unit?: string, factor = 1): Kind<number> {
  const find = (given: string) => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    return number >= least && number <= most ? number * factor : undefined;
  };
  return { ...kindOf(`a whole number from ${least} to ${most}`, find), value: unit ?? 'N', ...(unit && { unit }) };
}

export const count = (least: number) => wholeNumber(least);

export const milliseconds = (least: number) => wholeNumber(least, undefined, 'MS');

/** Seconds, as milliseconds. */
export const seconds = wholeNumber(1, 99_999, 'S', 1000);

/** Mebibytes, as bytes. Node decodes at most 512 MiB into one string. */
export const mebibytes = wholeNumber(1, 500, 'MIB', 1024 * 1024);

/** Slugs, or patterns of them, with spaces or commas between. */
export const slugs: Kind<string[]> = {
  value: 'SLUG…',
  list: true,
  read: (given) => given.split(/[\s,]+/).filter((one) => one !== ''),
};

const DOMAIN = /^(?=.{1,190}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** A domain name. */
export const domain: Kind<string> = {
  ...kindOf('a domain name such as example.com', (given) => (DOMAIN.test(given) ? given : undefined)),
  value: 'DOMAIN',
};

/** A name in reports: at most 80 characters, without the space around them; no value where none is left. */
export const shownName: Kind<string | undefined> = {
  value: 'NAME',
  read: (given, { variable }) => {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{0,80}$/u.test(given)) {
      throw new SettingsError(`${variable} must be at most 80 characters, all of them printable.`);
    }
    return given.trim() || undefined;
  },
};

/** A file to read: its absolute path, and the name by which it was given. */
export const inputFile: Kind<{ path: string; name: string }> = {
  value: 'FILE',
  read: (given, { directory }) => ({ path: resolve(directory, given), name: given }),
};

/** The absolute path of a directory. */
export const directory: Kind<string> = { value: 'DIR', read: (given, place) => resolve(place.directory, given) };
