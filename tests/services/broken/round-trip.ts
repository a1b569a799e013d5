import type { Service, User } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Users are changed when they are stored. */
const stored = (change: (user: User) => User) => (service: Service) => {
  const { store } = service;
  service.store = (user) => store(change(user));
};

export const brokenRoundTrip: Broken[] = [
  broken(
    'round-trip.letters-beyond-ascii',
    'names are stored as Latin-1',
    stored((user) => ({ ...user, name: Buffer.from(user.name, 'latin1').toString('latin1') })),
    ['round-trip.other-strings'],
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'accents are lost',
    stored((user) => ({ ...user, name: user.name.normalize('NFD').replace(/[\u0300-\u036f]/g, '') })),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'names are decomposed',
    stored((user) => ({ ...user, name: user.name.normalize('NFD') })),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'compatibility letters are folded',
    stored((user) => ({ ...user, name: user.name.normalize('NFKC') })),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'letters beyond ASCII become question marks',
    stored((user) => ({ ...user, name: user.name.replace(/[^\x20-\x7e]/g, '?') })),
    ['round-trip.other-strings'],
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'letters beyond the first plane are lost',
    stored((user) => ({ ...user, name: user.name.replace(/[\u{20000}-\u{3ffff}]/gu, '?') })),
  ),
  broken('list.agrees-with-retrieve', 'only the list loses letters beyond ASCII', (service) => {
    service.item = (user) => ({ ...user, name: user.name.replace(/[^\x20-\x7e]/g, '?') });
  }),
  broken('list.agrees-with-retrieve', 'only the list escapes apostrophes', (service) => {
    service.item = (user) => ({ ...user, name: user.name.replaceAll("'", '&#39;') });
  }),
  broken('list.agrees-with-retrieve', 'only the list has no line breaks', (service) => {
    service.item = (user) => ({ ...user, name: user.name.replaceAll('\n', ' ') });
  }),
  broken('list.agrees-with-retrieve', 'only the list has no emoji', (service) => {
    service.item = (user) => ({ ...user, name: user.name.replace(/\p{Extended_Pictographic}/gu, '') });
  }),
  broken(
    'round-trip.other-strings',
    'names are escaped for HTML',
    stored((user) => ({ ...user, name: user.name.replace(/&/g, '&amp;').replace(/</g, '&lt;') })),
  ),
  broken(
    'round-trip.other-strings',
    'names are trimmed',
    stored((user) => ({ ...user, name: user.name.trim() })),
  ),
  broken(
    'round-trip.other-strings',
    'names are cut at 255 characters',
    stored((user) => ({ ...user, name: user.name.slice(0, 255) })),
  ),
  broken(
    'round-trip.other-strings',
    'emoji are lost',
    stored((user) => ({ ...user, name: user.name.replace(/\p{Extended_Pictographic}/gu, '') })),
  ),
  broken(
    'round-trip.other-strings',
    'tags of addresses are lost',
    stored((user) => ({ ...user, email: user.email.replace(/\+.*@/, '@') })),
  ),
];
