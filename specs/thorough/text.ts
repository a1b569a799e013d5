import fc from 'fast-check';
import type { UserCase } from '../../src/plan/steps/users.ts';

/** A user with a text in the name that the service may refuse: it can be made smaller. */
export interface TextCase extends UserCase {
  text: string;
  place: Place;
}
export type Place = 'before' | 'behind' | 'within' | 'first';
const placed: Record<Place, (name: string, text: string) => string> = {
  before: (name, text) => text + name,
  behind: (name, text) => `${name} ${text}`,
  within: (name, text) => name.replace(' ', () => text),
  first: (name, text) => `${text} ${name}`,
};

export function withText(text: string, place: Place): TextCase {
  const what =
    text.length > 30 ? `${text.length} characters ${place} the name` : `${JSON.stringify(text)} ${place} the name`;
  return { what, fate: 'may', text, place, kind: { what, name: ({ name }) => placed[place](name, text) } };
}

/** The same with fewer characters, as fast-check shrinks a part of them; only texts of which `isOne` is true. */
export const smaller = (isOne: (text: string) => boolean) =>
  function* ({ text, place }: UserCase & Partial<TextCase>): Iterable<TextCase> {
    if (text === undefined || place === undefined) return;
    const characters = [...text];
    for (const { value } of fc.subarray(characters, { minLength: 1 }).shrink(characters, undefined)) {
      if (isOne(value.join(''))) yield withText(value.join(''), place);
    }
  };
