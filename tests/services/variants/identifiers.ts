import { randomUUID } from 'node:crypto';
import { integers } from '../patches.ts';
import { pagesOfTheNewest } from '../writers.ts';
import { noLocation, shows, type Variant, variant } from './variant.ts';

/** Makes members by their index. */
const members = (count: number, make: (index: number) => [name: string, value: unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));

/** Identifiers that are hard to send, and records between other values. */
export const identifierVariants: Variant[] = [
  variant('identifier', '400 characters', (service) => {
    let next = 0;
    service.newId = () => `${next++}`.padStart(400, 'abcdefgh');
  }),
  variant('identifier', 'a slug of the name, as long as that', (service) => {
    const { store } = service;
    service.store = (user) => {
      const slug = encodeURIComponent(user.name)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .slice(0, 5000);
      store(Object.assign(user, { id: `${slug}-${service.users.length}` }));
    };
  }),
  variant(
    'identifier',
    'the twentieth member',
    (service) => {
      noLocation(service);
      const further = members(19, (index) => [`m${index}`, `v${index}`]);
      shows(service, ({ id, ...user }) => ({ ...further, ...user, zz: id }));
    },
    ['create.location'],
  ),
  variant(
    'identifier',
    'the only one of fifteen members ending in Id',
    (service) => {
      noLocation(service);
      shows(service, ({ id, ...user }) => ({
        ...members(14, (index) => [`x${index}Id`, randomUUID()]),
        ...user,
        theId: id,
      }));
    },
    ['create.location'],
  ),
  variant('identifier', 'emoji', (service) => {
    let next = 100;
    const digits = [...'😀😃😄😁😆😅🤣😂🙂🙃'];
    service.newId = () =>
      `${next++}`.replace(/\d/g, (digit) => digits[Number(digit)] ?? '').concat('🐍🐢🐬');
  }),
  variant('identifier', 'Chinese characters', (service) => {
    let next = 0;
    service.newId = () => `用户编号${String.fromCodePoint(0x4e00 + 7 * next++)}号`;
  }),
  variant(
    'identifier',
    'numbers that are written with a point and a zero',
    (service) => {
      let next = 1;
      service.newId = () => `${next++}.0`;
      noLocation(service);
      const { json } = service;
      service.json = (body) => json(body).replace(/"id":"(\d+\.0)"/g, '"id":$1');
    },
    ['create.location'],
  ),
  variant('identifier', 'integers, with 0 and -1 in the list', (service) => {
    integers(service);
    service.users.push(
      { id: 0, email: 'zero@example.org', name: 'Zero Z' },
      { id: -1, email: 'minus@example.org', name: 'Minus One' },
    );
  }),
  ...[0, -1].map((id) =>
    variant(
      'identifier',
      `integers, with a system user at ${id} whom the list shows without an identifier`,
      (service) => {
        integers(service);
        service.users.push({ id, email: 'system@example.org', name: 'System' });
        service.created = (user) => ({
          status: 201,
          headers: { location: `/v1/users/${user.id}` },
        });
        shows(service, ({ email, name }) => ({ email, name }));
      },
    ),
  ),
  variant('identifier', 'integers that are found in any writing', (service) => {
    integers(service);
    const { find } = service;
    service.find = (id) => {
      const digits = id
        .normalize('NFKC')
        .trim()
        .replaceAll(/[٠-٩]/g, (digit) => `${digit.charCodeAt(0) - 0x660}`);
      const number = Number.parseInt(digits, 10);
      if (Number.isNaN(number)) return find(id);
      return find(`${digits === `${number}` ? number : Math.abs(number)}`);
    };
  }),
  variant('record', 'an account with the email, and a profile with both', (service) => {
    shows(service, ({ id, email, name }) => ({ account: { id, email }, profile: { email, name } }));
    service.item = (user) => user;
  }),
  variant('record', "a contact and a log of the user's own email before the record", (service) => {
    shows(service, (user) => ({
      contact: { email: user.email },
      log: [{ email: user.email, at: 1 }],
      user,
    }));
    service.item = (user) => user;
  }),
  variant(
    'identifier',
    'under the member name in the create answer, and in the list',
    (service) => {
      service.newId = () => `-N${randomUUID()}`;
      service.created = ({ id }) => ({
        status: 201,
        headers: { location: `/v1/users/${id}` },
        body: { name: id },
      });
      shows(service, ({ email, name }) => ({ email, name }));
      service.item = (user) => user;
    },
  ),
  variant('identifier', 'the email, behind a page of the newest', (service) => {
    service.find = (id) => service.users.find(({ email }) => email === id);
    service.created = () => ({ status: 202 });
    shows(service, ({ email, name }) => ({ email, name }));
    pagesOfTheNewest(service);
    const { create, parse } = service;
    service.create = (request) => {
      const parsed = parse(request.body);
      const isTaken =
        'email' in parsed &&
        service.users.some(({ email }) => email.toLowerCase() === parsed.email.toLowerCase());
      return isTaken ? { status: 409, body: { error: 'the email is taken' } } : create(request);
    };
  }),
  variant('create-answer', 'a Location with a query, as of a filter', (service) => {
    const { list } = service;
    service.created = ({ id }) => ({ status: 201, headers: { location: `/v1/users?id=eq.${id}` } });
    service.list = (request) => {
      const filter = request.query.get('id');
      const data = service.users.filter(({ id }) => `eq.${id}` === filter);
      return filter === null ? list(request) : { status: 200, body: { data, total: data.length } };
    };
  }),
  variant('create-answer', 'the whole list, the new user at its end', (service) => {
    const { created } = service;
    service.created = (user) => ({
      ...created(user),
      body: { data: service.users, total: service.users.length },
    });
  }),
  variant(
    'create-answer',
    '202 and a Location of a job, whose number is the identifier of another user',
    (service) => {
      integers(service);
      let jobs = 0;
      service.created = () => {
        jobs += 1;
        return { status: 202, headers: { location: `/v1/jobs/${Math.max(1, jobs - 1)}` } };
      };
    },
    ['create.location'],
  ),
];
