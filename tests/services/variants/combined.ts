import fc, { type Arbitrary } from 'fast-check';
import { variants } from './index.ts';
import type { Variant } from './variant.ts';

/** Choices that are one matter, of which a service has one: where the identifier is, and what shows it. */
const IDENTITY = ['identifier', 'record', 'states', 'create-answer', 'retrieve-answer'];
const matterOf = ({ choice }: Variant) => (IDENTITY.includes(choice) ? 'identity' : choice);

/** A service that pages and shows the identifier in the list alone may leave it unfound, which is not verified. */
const hidesIdentifiers = (combined: Variant[]) =>
  combined.some(
    (one) =>
      HIDDEN.test(one.name) && combined.some((other) => other !== one && PAGED.test(other.name)),
  );

const PAGED = /\bpages?\b/;
const HIDDEN =
  /only in the list|in the list alone|^(the name$|the email, behind a page|202 and a Location of a job|a Location with a query)|empty ones too$/;

/**
 * A key that is a part of the identifiers makes these itself, and empty answers show none: another choice of them would
 * not be found.
 */
const makesIdentifiersTwice = (combined: Variant[]) =>
  combined.some(({ name }) => /identifiers have a part$|empty ones too$/.test(name)) &&
  combined.some((one) => matterOf(one) === 'identity');

/** A list that lags behind a list that lags may look like a page. */
const lagsTwice = (combined: Variant[]) =>
  combined.some(({ name }) => name.endsWith('which lags')) &&
  combined.some(({ choice }) => choice === 'lag');

/** What needs settings of its own is judged alone. */
const usual = variants.filter(({ settings }) => settings === undefined);

/** Variants of different matters, so many at the same time. */
export const combinations = (least: number, most: number): Arbitrary<Variant[]> =>
  fc
    .uniqueArray(fc.constantFrom(...usual), {
      minLength: least,
      maxLength: most,
      selector: matterOf,
    })
    .filter(
      (combined) =>
        !hidesIdentifiers(combined) && !makesIdentifiersTwice(combined) && !lagsTwice(combined),
    );

export const nameOf = (combined: readonly Variant[]): string =>
  combined.map(({ choice, name }) => `${choice}: ${name}`).join(' + ');
