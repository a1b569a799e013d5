import type { Kind } from './kinds.ts';
import { SettingsError } from './settings-error.ts';

/** A header that goes with every request, such as a gateway asks for. Its value is a secret. */
export interface Header {
  name: string;
  value: string;
}

/**
 * What requests have of their own, what the connection is made of, and what asks for something else: another method or path,
 * a part of the answer, an answer only if, one answer for all creations.
 */
const OURS = [
  /^(proxy-)?(authorization|connection|authenticate)$/,
  /^(host|keep-alive|expect|te|trailer|transfer-encoding|upgrade|http2-settings)$/,
  /^(accept|content|if)(-|$)/,
  /^(range|prefer|a-im|idempotency-key)$/,
  /^(x-)?(http-?)?method(-override)?$/,
  /^x-(original|rewrite|forwarded)-(url|uri|path|method)$/,
];

/** Headers, one a line: `Name: value`. Errors do not show the value. */
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
    if (twice) throw new SettingsError(`${variable}: the header ${twice.name} is set twice.`);
    return headers;
  },
};

function readOne(line: string, place: string): Header {
  const [, name = '', value = ''] = /^([A-Za-z0-9_-]+):[ \t]*([\x20-\x7e]+)$/.exec(line) ?? [];
  if (name === '') {
    throw new SettingsError(`${place}: it must be "Name: value", the value of printable ASCII characters.`);
  }
  // Many servers take a line below for a dash.
  const plain = name.toLowerCase().replaceAll('_', '-');
  if (plain === 'authorization') {
    throw new SettingsError(`${place}: the header Authorization carries API_KEY and nothing else.`);
  }
  if (OURS.some((one) => one.test(plain))) {
    throw new SettingsError(
      `${place}: the header ${name} can't be set: requests have their own, or another one would change what they ask for.`,
    );
  }
  return { name, value };
}
