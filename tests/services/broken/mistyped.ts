import { type Broken, broken, changed, jsonOf, membersOf } from './broken.ts';
import { lenient } from './create.ts';

/**
 * Accepts email and name of other types, for which `isAccepted` returns true. Both are required.
 */
const anyType = (isAccepted: (value: unknown) => boolean) =>
  lenient((value) => {
    const { email, name } = membersOf(value) ?? {};
    const mistyped = [email, name].filter((value) => typeof value !== 'string');
    return email !== undefined && name !== undefined && mistyped.every(isAccepted)
      ? { email, name }
      : undefined;
  });

/** Services that accept an email or a name that is not a string. */
export const brokenMistyped: Broken[] = [
  ...['-1 as name', '[null] as name', 'false as email'].map((member) =>
    broken(
      'create.strings-only',
      `${member} is stored`,
      lenient((value) => {
        const { email, name } = membersOf(value) ?? {};
        const sent = [`${JSON.stringify(name)} as name`, `${JSON.stringify(email)} as email`];
        return sent.includes(member) ? { email, name } : undefined;
      }),
    ),
  ),
  broken(
    'create.strings-only',
    'any type is stored',
    anyType((value) => value !== null),
  ),
  broken(
    'create.strings-only',
    'null is stored',
    anyType((value) => value === null),
  ),
  broken(
    'create.strings-only',
    'numbers are stored',
    anyType((value) => typeof value === 'number'),
  ),
  broken(
    'create.strings-only',
    'objects are stored',
    anyType((value) => membersOf(value) !== undefined),
  ),
  broken(
    'create.strings-only',
    'an array with an address in it is stored',
    anyType((value) => Array.isArray(value) && /^[^@\s,]+@[^@\s,]+$/.test(`${value}`)),
  ),
  broken('create.strings-only', '400, and a number is stored all the same', (service) => {
    changed((reply, request) => {
      const sent = membersOf(jsonOf(request));
      if (reply.status === 400 && typeof sent?.name === 'number') {
        const { email, name } = JSON.parse(request.body);
        service.store({ id: service.newId(), email, name });
      }
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
  broken(
    'create.mistyped-status',
    'other types become strings',
    lenient((value) => {
      const { email, name } = membersOf(value) ?? {};
      return email === undefined || name === undefined
        ? undefined
        : { email: String(email), name: String(name) };
    }),
  ),
];
