import { oneOf, type ValueOf } from '../../src/conduct/domain.ts';
import type { Request } from '../../src/http/exchange.ts';
import { around } from './strings.ts';
import { lines } from './words.ts';

const TRACES = [
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  '00-00000000000000000000000000000000-0000000000000000-00',
  '00-x-y-01',
  'cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what',
];
/** Values of a length at which a buffer may end: a head stays below 8 kB. */
const BAGGAGE = around(6, 12).map((length) => `k=${'v'.repeat(length - 2)}`);
const DROPPED = 'dropped';

/** What clients write in another way in any request, a few of it at the same time; nothing stands for "as usual". */
export const headParts = {
  accept: oneOf(['', DROPPED, ...lines('accept')]),
  encoding: oneOf(['', '', ...lines('accept-encoding')]),
  language: oneOf(['', '', ...lines('accept-language')]),
  trace: oneOf(['', '', '', ...TRACES]),
  baggage: oneOf(['', '', ...BAGGAGE]),
  further: oneOf(['', ...lines('further-headers')]),
  /** So many lines more: a head stays below 40 of them, which some servers refuse. */
  fields: oneOf([0, 1, 0, 8, 0, 16, 0, 20, 22, 24, 25, 26, 27]),
  order: oneOf(['', 'turned']),
  names: oneOf(['', 'capital letters', 'mixed letters', 'small letters']),
  connection: oneOf(['kept', 'new']),
};
type Head = { [Name in keyof typeof headParts]: ValueOf<(typeof headParts)[Name]> };

/** Writes a request in another way that means the same. */
export type Write = (request: Request) => Request;

const cases: Record<string, (name: string) => string> = {
  'capital letters': (name) => name.toUpperCase(),
  'mixed letters': (name) =>
    [...name].map((letter, index) => (index % 2 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
  'small letters': (name) => name.toLowerCase(),
};

/** The head of a request, written so. */
export function withHead({
  accept,
  encoding,
  language,
  trace,
  baggage,
  further,
  fields,
  order,
  names,
  connection,
}: Head): {
  what: string;
  write: Write;
} {
  const set: Record<string, string> = {
    accept,
    'accept-encoding': encoding,
    'accept-language': language,
    traceparent: trace,
    baggage,
    ...Object.fromEntries(Array.from({ length: fields }, (_, at) => [`x-field-${at + 1}`, 'a value of some length'])),
    ...(further && { [further.slice(0, further.indexOf(': '))]: further.slice(further.indexOf(': ') + 2) }),
  };
  const given = Object.entries(set).filter(([, value]) => value !== '');
  const inCase = cases[names] ?? ((name) => name);
  const what = [
    ...(fields ? [`${fields} more lines`] : []),
    ...(order ? ['the lines in another order'] : []),
    ...given
      .filter(([name]) => !name.startsWith('x-field-'))
      .map(([name, value]) => `${name}: ${value.length > 100 ? `${value.length} characters` : value}`),
    ...(names ? [`header names in ${names}`] : []),
    `a ${connection} connection`,
  ];
  const write: Write = (request) => {
    const headers = Object.entries({ ...request.headers, ...Object.fromEntries(given) })
      .filter(([name, value]) => name !== 'accept' || value !== DROPPED)
      .map(([name, value]): [string, string] => [inCase(name), value]);
    if (order) headers.reverse();
    return { ...request, headers: Object.fromEntries(headers), connection };
  };
  return { what: what.join(', '), write };
}
