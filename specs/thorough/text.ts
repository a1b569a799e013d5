import fc from 'fast-check';
import type { UserCase } from '../../src/plan/steps/users.ts';

/** A text in a name that the service may refuse, and where it is in it: it can be made smaller. */
export interface Text {
  text: string;
  place: Place;
}
export const PLACES = ['before', 'behind', 'within', 'first', 'alone'] as const;
export type Place = (typeof PLACES)[number];

const placed: Record<Place, (name: string, text: string) => string> = {
  before: (name, text) => text + name,
  behind: (name, text) => `${name} ${text}`,
  within: (name, text) => name.replace(' ', () => text),
  first: (name, text) => `${text} ${name}`,
  // The email tells whose it is.
  alone: (_, text) => text,
};

/** Characters of the longest text that is drawn. */
const LONGEST = 66_000;

export function withText({ text, place }: Text): UserCase {
  const what =
    text.length > 30 ? `${text.length} characters ${place} the name` : `${JSON.stringify(text)} ${place} the name`;
  return { what, fate: 'may', kind: { what, name: ({ name }) => placed[place](name, text) } };
}

/** Whether a value is such a text, and one of which `isOne` is true. */
export const isText = (isOne: (text: string) => boolean) => (value: unknown) => {
  const { text, place, ...others } = Object(value) as Partial<Text>;
  return (
    typeof text === 'string' &&
    text !== '' &&
    text.length <= LONGEST &&
    text.isWellFormed() &&
    isOne(text) &&
    PLACES.includes(place as Place) &&
    Object.keys(others).length === 0
  );
};

/** The same with fewer characters, as fast-check shrinks a part of them; only texts of which `isOne` is true. */
export const smaller = (isOne: (text: string) => boolean) =>
  function* ({ text, place }: Text): Iterable<Text> {
    const characters = [...text];
    for (const { value } of fc.subarray(characters, { minLength: 1 }).shrink(characters, undefined)) {
      if (isOne(value.join(''))) yield { text: value.join(''), place };
    }
  };
