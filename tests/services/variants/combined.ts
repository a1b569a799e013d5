import fc, { type Arbitrary } from 'fast-check';
import { variants } from './index.ts';
import type { Variant } from './variant.ts';

/**
 * Choices about identifiers, which exclude each other: where the identifier is, and which responses
 * show it.
 */
const IDENTITY = ['identifier', 'record', 'states', 'create-answer', 'retrieve-answer'];

/** Returns the group of a variant. Only variants of different groups are combined. */
const groupOf = ({ choice }: Variant) => (IDENTITY.includes(choice) ? 'identity' : choice);

/** Identifiers in a paginated list alone may not be found, so that requirements stay unverified. */
const hidesIdentifiers = (combined: Variant[]) =>
  combined.some(
    (variant) =>
      HIDDEN.test(variant.name) &&
      combined.some((other) => other !== variant && PAGED.test(other.name)),
  );

const PAGED = /\bpages?\b/;
const HIDDEN =
  /only in the list|in the list alone|^(the name$|the email, behind a page|202 and a Location of a job|a Location with a query)|empty ones too$/;

/**
 * A variant that determines identifiers itself can't be combined with another choice of
 * identifiers.
 */
const makesIdentifiersTwice = (combined: Variant[]) =>
  combined.some(({ name }) => /identifiers have a part$|empty ones too$/.test(name)) &&
  combined.some((variant) => groupOf(variant) === 'identity');

/** A list that lags twice may look like a page. */
const lagsTwice = (combined: Variant[]) =>
  combined.some(({ name }) => name.endsWith('which lags')) &&
  combined.some(({ choice }) => choice === 'lag');

/** Variants that need no settings. */
const combinable = variants.filter(({ settings }) => settings === undefined);

/** Draws combinations of `least` to `most` variants. */
export const combinations = (least: number, most: number): Arbitrary<Variant[]> =>
  fc
    .uniqueArray(fc.constantFrom(...combinable), {
      minLength: least,
      maxLength: most,
      selector: groupOf,
    })
    .filter(
      (combined) =>
        !hidesIdentifiers(combined) && !makesIdentifiersTwice(combined) && !lagsTwice(combined),
    );

/** Returns the name of a combination. */
export const nameOf = (combined: readonly Variant[]): string =>
  combined.map(({ choice, name }) => `${choice}: ${name}`).join(' + ');
