import { type Broken, broken } from './broken.ts';
import { alsoFinds } from './lookups.ts';

/** Wrong responses to unknown and odd identifiers. */
export const brokenNobody: Broken[] = [
  broken('retrieve.unknown-status', 'an unknown identifier is 400', (service) => {
    service.missing = () => service.invalid('no such user');
  }),
  broken(
    'retrieve.unknown',
    'an unknown identifier yields the last user',
    alsoFinds((_, { users }) => users.at(-1)),
  ),
  broken(
    'retrieve.unknown',
    'an unknown identifier of the right shape yields an invented user',
    alsoFinds((id) =>
      id.length === 36 ? { id: 'new', email: 'nobody@example.com', name: 'Nobody' } : undefined,
    ),
  ),
  broken('retrieve.unknown', '404 with a user in it', (service) => {
    service.missing = (id) => ({
      status: 404,
      body: { error: 'not found', ...(id.length === 36 && { nearest: service.users[0] }) },
    });
  }),
  broken(
    'retrieve.odd',
    'null yields a user',
    alsoFinds((id, { users }) => (id === 'null' ? users[0] : undefined)),
  ),
  broken('retrieve.odd', 'a quote yields all users', (service) => {
    const { retrieve } = service;
    service.retrieve = (id, request) =>
      id === "'" ? { status: 200, body: service.users } : retrieve(id, request);
  }),
  broken('retrieve.odd', 'an encoded slash yields all users', (service) => {
    const { retrieve } = service;
    service.retrieve = (id, request) =>
      id === '/' ? { status: 200, body: service.users } : retrieve(id, request);
  }),
  broken(
    'retrieve.unknown-status',
    '200 with nothing',
    (service) => {
      const { missing } = service;
      service.missing = (id) => (id.length === 36 ? { status: 200, body: {} } : missing(id));
    },
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.odd-status',
    'an odd identifier is 500',
    (service) => {
      const { missing } = service;
      service.missing = (id) => (id.length === 36 ? missing(id) : { status: 500 });
    },
    ['http.no-server-error'],
  ),
  broken('retrieve.odd-status', 'an odd identifier is a redirect', (service) => {
    const { missing } = service;
    service.missing = (id) =>
      id.length === 36 ? missing(id) : { status: 302, headers: { location: '/' } };
  }),

  broken('retrieve.odd', '404 for null, with the first user in it', (service) => {
    const { missing } = service;
    service.missing = (id) =>
      id === 'null'
        ? { status: 404, body: { error: 'not found', last: service.users[0] } }
        : missing(id);
  }),
  broken(
    'retrieve.pattern',
    'an asterisk finds the first user',
    alsoFinds((id, { users }) => (id === '*' ? users[0] : undefined)),
  ),
  broken(
    'retrieve.pattern',
    'an identifier is put into SQL',
    alsoFinds((id, { users }) => (/OR ('1'=')?1/.test(id) ? users[0] : undefined)),
  ),
  broken(
    'retrieve.pattern',
    'an identifier of digits is an index',
    alsoFinds((id, { users }) => (/^\d+$/.test(id) ? users[Number(id)] : undefined)),
  ),
  broken('retrieve.pattern', '404 for an asterisk, with the first user in it', (service) => {
    const { missing } = service;
    service.missing = (id) =>
      id === '*'
        ? { status: 404, body: { error: 'not found', nearest: service.users[0] } }
        : missing(id);
  }),
];
