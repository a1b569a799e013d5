import { type Broken, broken, changed, jsonOf, object } from './broken.ts';
import { lenient } from './create.ts';

/** Accepts members of other types, but asks for both. */
const anyType = (keep: (value: unknown) => boolean) =>
  lenient((value) => {
    const { email, name } = object(value) ?? {};
    const bad = [email, name].filter((one) => typeof one !== 'string');
    return email !== undefined && name !== undefined && bad.every(keep)
      ? { email, name }
      : undefined;
  });

/** What comes of an email or a name that is not a string. */
export const brokenMistyped: Broken[] = [
  ...['-1 as name', '[null] as name', 'false as email'].map((what) =>
    broken(
      'create.strings-only',
      `${what} is stored`,
      lenient((value) => {
        const { email, name } = object(value) ?? {};
        const sent = [`${JSON.stringify(name)} as name`, `${JSON.stringify(email)} as email`];
        return sent.includes(what) ? { email, name } : undefined;
      }),
      ['create.mistyped-status'],
    ),
  ),
  broken(
    'create.strings-only',
    'any type is stored',
    anyType((one) => one !== null),
    ['create.mistyped-status'],
  ),
  broken(
    'create.strings-only',
    'null is stored',
    anyType((one) => one === null),
    ['create.mistyped-status'],
  ),
  broken(
    'create.strings-only',
    'numbers are stored',
    anyType((one) => typeof one === 'number'),
    ['create.mistyped-status'],
  ),
  broken(
    'create.strings-only',
    'objects are stored',
    anyType((one) => typeof one === 'object' && !Array.isArray(one) && one !== null),
    ['create.mistyped-status'],
  ),
  broken(
    'create.strings-only',
    'an array with an address in it is stored',
    anyType((one) => Array.isArray(one) && /^[^@\s,]+@[^@\s,]+$/.test(`${one}`)),
    ['create.mistyped-status'],
  ),
  broken('create.strings-only', '400, and a number is stored all the same', (service) => {
    changed((reply, request) => {
      const { email, name } = object(jsonOf(request)) ?? {};
      if (reply.status === 400 && typeof name === 'number')
        service.store({ id: service.newId(), email, name } as never);
      return reply;
    }, 'create')(service);
  }),
  broken(
    'create.invalid-status',
    'an invalid body is 302',
    (service) => {
      service.invalid = () => ({ status: 302, headers: { location: '/error' } });
    },
    ['create.mistyped-status'],
  ),
  broken('create.mistyped-status', 'other types become strings', anyTypeAsString()),
];

function anyTypeAsString() {
  return lenient((value) => {
    const { email, name } = object(value) ?? {};
    return email === undefined || name === undefined
      ? undefined
      : { email: String(email), name: String(name) };
  });
}
