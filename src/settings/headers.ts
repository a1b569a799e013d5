import type { Kind } from './kinds.ts';
import { SettingsError } from './settings-error.ts';

/** A header that goes with every request, such as a gateway asks for. Its value is a secret. */
export interface Header {
  name: string;
  value: string;
}

/** What requests have of their own, or what the connection is made of: another value would change what is judged. */
const OURS = [
  ...['authorization', 'proxy-authorization', 'host', 'content-type', 'content-length', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'expect', 'te', 'trailer', 'upgrade'],
];

/** Headers, one a line: `Name: value`. What is wrong with one is told without its value. */
export const headerLines: Kind<Header[]> = {
  value: "'NAME: VALUE'",
  repeated: true,
  read: (given, { variable }) => {
    const lines = given.split(/\r?\n/).map((line) => line.trim());
    const headers = lines
      .filter((line) => line !== '')
      .map((line, index) => readOne(line, `${variable}, line ${index + 1}`));
    const names = headers.map(({ name }) => name.toLowerCase());
    const twice = headers.find((_, index) => names.indexOf(names[index] ?? '') < index);
    if (twice) throw new SettingsError(`${variable}: the header ${twice.name} stands there twice.`);
    return headers;
  },
};

function readOne(line: string, place: string): Header {
  const [, name = '', value = ''] = /^([A-Za-z0-9_-]+):[ \t]*([\x20-\x7e]+)$/.exec(line) ?? [];
  if (name === '') {
    throw new SettingsError(`${place}: it must be "Name: value", the value of printable ASCII characters.`);
  }
  if (name.toLowerCase() === 'authorization') {
    throw new SettingsError(`${place}: the header Authorization carries API_KEY and nothing else.`);
  }
  if (OURS.includes(name.toLowerCase())) {
    throw new SettingsError(`${place}: the header ${name} can't be set, because requests have one of their own.`);
  }
  return { name, value };
}
