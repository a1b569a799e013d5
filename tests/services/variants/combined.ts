import fc, { type Arbitrary } from 'fast-check';
import { variants } from './index.ts';
import type { Variant } from './variant.ts';

/** Choices that are one matter, of which a service has one: where the identifier is, and what shows it. */
const IDENTITY = ['identifier', 'record', 'states', 'create-answer', 'retrieve-answer'];
const matterOf = ({ choice, name }: Variant) =>
  IDENTITY.includes(choice) || name.startsWith('gzip in the header of every answer') ? 'identity' : choice;

/** A service that pages and shows the identifier in the list alone may leave it unfound, which is not verified. */
const hidesIdentifiers = (combined: Variant[]) =>
  combined.some(({ name }) => /\bpages?\b/.test(name)) &&
  combined.some(({ name }) =>
    /^(only in the list|the name$|202 and a Location of a job|a Location with a query|gzip in the header of every)/.test(
      name,
    ),
  );

/** A key that is a part of the identifiers makes these itself: another choice of them would not be found. */
const makesIdentifiersTwice = (combined: Variant[]) =>
  combined.some(({ name }) => name.endsWith('identifiers have a part')) &&
  combined.some((one) => matterOf(one) === 'identity');

/** What needs settings of its own is judged alone. */
const usual = variants.filter(({ settings }) => settings === undefined);

/** Variants of different matters, so many at the same time. */
export const combinations = (least: number, most: number): Arbitrary<Variant[]> =>
  fc
    .uniqueArray(fc.constantFrom(...usual), { minLength: least, maxLength: most, selector: matterOf })
    .filter((combined) => !hidesIdentifiers(combined) && !makesIdentifiersTwice(combined));

export const nameOf = (combined: Variant[]): string =>
  combined.map(({ choice, name }) => `${choice}: ${name}`).join(' + ');
