import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SettingsError } from './settings-error.ts';

/** Where a value stands: the variable that errors name, and the working directory from which paths are found. */
export interface Place {
  variable: string;
  directory: string;
}

/** What the values of a setting are, and how one is read from its text. */
export interface Kind<Value> {
  /** What the help shows behind the flag; a flag without it is a switch. */
  value?: string;
  /** Several values may follow the flag. */
  list?: true;
  /** The flag may stand several times: each gives a line. */
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

/** On or off. */
export const onOff: Kind<boolean> = {
  read: (given, { variable }) => {
    if (['1', 'true'].includes(given)) return true;
    if (['0', 'false'].includes(given)) return false;
    throw new SettingsError(`${variable} is "${given}": on is 1 or true, off is 0, false or empty.`);
  },
};

/** One of these words. */
export const oneOf = <Word extends string>(words: readonly Word[]): Kind<Word> => ({
  value: 'WHAT',
  read: (given, { variable }) => {
    const word = words.find((one) => one === given);
    if (word !== undefined) return word;
    throw new SettingsError(`${variable} is "${given}": it must be ${words.join(' or ')}.`);
  },
});

/** A whole number of milliseconds, `least` or more. */
export const milliseconds = (least: number): Kind<number> => ({
  value: 'MS',
  read: (given, { variable }) => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= least) return number;
    throw new SettingsError(`${variable} is "${given}": it must be a whole number of milliseconds, ${least} or more.`);
  },
});

/** A whole number, `least` or more. */
export const wholeNumber = (least: number): Kind<number> => ({
  value: 'N',
  read: (given, { variable }) => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= least) return number;
    throw new SettingsError(`${variable} is "${given}": it must be a whole number, ${least} or more.`);
  },
});

/** A whole number of seconds, as milliseconds. */
export const seconds: Kind<number> = {
  value: 'S',
  read: (given, { variable }) => {
    const number = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= 1) return number * 1000;
    throw new SettingsError(`${variable} is "${given}": it must be a whole number of seconds, from 1 to 99999.`);
  },
};

/** A whole number of mebibytes, as bytes. */
export const mebibytes: Kind<number> = {
  value: 'MIB',
  read: (given, { variable }) => {
    // Node decodes at most 512 MiB into one string.
    const number = /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= 1 && number <= 500) return number * 1024 * 1024;
    throw new SettingsError(`${variable} is "${given}": it must be a whole number of mebibytes from 1 to 500.`);
  },
};

/** Slugs, or patterns of them, with spaces or commas between. */
export const slugs: Kind<string[]> = {
  value: 'SLUG…',
  list: true,
  read: (given) => given.split(/[\s,]+/).filter((one) => one !== ''),
};

/** A domain name. */
export const domain: Kind<string> = {
  value: 'DOMAIN',
  read: (given, { variable }) => {
    if (/^(?=.{1,190}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(given)) return given;
    throw new SettingsError(`${variable} is "${given}": it must be a domain name such as example.com.`);
  },
};

/** What reports call something: at most 80 characters, without the space around them; no value where none is left. */
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

/** The absolute path of a file that can be written, there or in a folder that is yet to be made. */
export const outputFile: Kind<string> = {
  value: 'FILE',
  read: (given, { variable, directory }) => {
    const file = resolve(directory, given);
    try {
      let place = file;
      while (!existsSync(place)) place = dirname(place);
      accessSync(place, constants.W_OK);
      if (statSync(place).isDirectory() !== (place === file)) return file;
    } catch {}
    throw new SettingsError(`${variable} is "${given}": no file can be written there.`);
  },
};

/** The absolute path of a folder. */
export const folder: Kind<string> = { value: 'DIR', read: (given, { directory }) => resolve(directory, given) };
