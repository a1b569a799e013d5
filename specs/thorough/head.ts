import { members, oneOf, type ValueOf } from '../../src/conduct/domain.ts';
import type { Request } from '../../src/http/exchange.ts';
import { around, header, lines } from './words.ts';

/** Values of a length at which a buffer may end: a head stays below 8 kB. */
const BAGGAGE = around(6, 12).map((length) => `k=${'v'.repeat(length - 2)}`);
const DROPPED = 'dropped';

const CASES: Record<string, (name: string) => string> = {
  'upper case': (name) => name.toUpperCase(),
  'mixed case': (name) => name.replace(/../g, ([one = '', another = '']) => one.toLowerCase() + another.toUpperCase()),
  'lower case': (name) => name.toLowerCase(),
};

/** What differs between clients in the head of any request, a few of it at once; nothing stands for "as usual". */
export const headParts = {
  headers: members({
    accept: oneOf(['', DROPPED, ...lines('accept')]),
    'accept-encoding': oneOf(['', '', ...lines('accept-encoding')]),
    'accept-language': oneOf(['', '', ...lines('accept-language')]),
    traceparent: oneOf(['', '', '', ...lines('traceparent')]),
    baggage: oneOf(['', '', ...BAGGAGE]),
  }),
  further: oneOf(['', ...lines('further-headers')]),
  /** So many lines more: a head stays below 40 of them, which some servers refuse. */
  fields: oneOf([0, 1, 0, 8, 0, 16, 0, 20, 22, 24, 25, 26, 27]),
  isReversed: oneOf([false, true]),
  names: oneOf(['', ...Object.keys(CASES)]),
  connection: oneOf(['kept', 'new']),
};
type Head = { [Name in keyof typeof headParts]: ValueOf<(typeof headParts)[Name]> };

/** Makes an equivalent request. */
export type Write = (request: Request) => Request;

/** Makes requests with this head. */
export function withHead(head: Head): { what: string; write: Write } {
  const { further, fields, isReversed, names, connection } = head;
  const given = [...Object.entries(head.headers), header(further)].filter(([, value]) => value !== '');
  const filling = Array.from({ length: fields }, (_, at): [string, string] => [
    `x-field-${at + 1}`,
    'a value of some length',
  ]);
  const what = [
    ...(fields ? [`${fields} more lines`] : []),
    ...(isReversed ? ['the lines in reverse order'] : []),
    ...given.map(([name, value]) => `${name}: ${value.length > 100 ? `${value.length} characters` : value}`),
    ...(names ? [`header names in ${names}`] : []),
    `a ${connection} connection`,
  ];
  const write: Write = (request) => {
    const headers = Object.entries({ ...request.headers, ...Object.fromEntries([...given, ...filling]) })
      .filter(([name, value]) => name !== 'accept' || value !== DROPPED)
      .map(([name, value]): [string, string] => [CASES[names]?.(name) ?? name, value]);
    return { ...request, headers: Object.fromEntries(isReversed ? headers.reverse() : headers), connection };
  };
  return { what: what.join(', '), write };
}
