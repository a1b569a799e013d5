import fc from 'fast-check';
import { kind, type kinds, members, oneOf, random, type ValueOf } from '../../src/conduct/domain.ts';
import type { Topic } from '../../src/conduct/topic.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { mayBeRefused } from '../round-trip.ts';
import { creations } from './creations.ts';

const placed = {
  before: (name: string, text: string) => text + name,
  behind: (name: string, text: string) => `${name} ${text}`,
  within: (name: string, text: string) => name.replace(' ', () => text),
  first: (name: string, text: string) => `${text} ${name}`,
  // The email tells whose it is.
  alone: (_: string, text: string) => text,
};
export type Place = keyof typeof placed;

/** A user with a text in a place of the name. */
export function withText(text: string, place: Place): UserCase {
  const what =
    text.length > 30 ? `${text.length} characters ${place} the name` : `${JSON.stringify(text)} ${place} the name`;
  return mayBeRefused(what, { name: ({ name }) => placed[place](name, text) });
}

/** Texts of which `isOne` is true, as fast-check makes them: to these a text that fails is shrunk. */
export const anyText = (weight: number, isOne: (text: string) => boolean) => {
  const some = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  const isText = (value: unknown) =>
    typeof value === 'string' && value !== '' && value.length <= LONGEST && value.isWellFormed() && isOne(value);
  return kind(weight, { text: random<string>(some.filter(isText), isText) }, ({ text }) => text);
};

/** Characters of the longest text that is drawn. */
const LONGEST = 66_000;

/** Users with a text in the name. One that fails is made smaller, and then of the kind `any`. */
export function textsInNames(
  what: string,
  part: DrawnPart<UserCase>,
  perRound: number,
  texts: ReturnType<typeof kinds<void>>,
  places: readonly Place[],
  isAlone: (kind: string, place: Place) => boolean,
): Topic {
  const params = members({ of: texts, place: oneOf(places) });
  const toCase = ({ of, place }: ValueOf<typeof params>) =>
    withText(texts.textOf(of), isAlone(of.kind, place) ? 'alone' : place);
  return creations(what, [part], perRound, params, toCase, function* ({ of, place }) {
    const characters = [...texts.textOf(of)];
    for (const { value } of fc.subarray(characters, { minLength: 1 }).shrink(characters, undefined)) {
      const smaller = { of: { kind: 'any', text: value.join('') }, place: isAlone(of.kind, place) ? 'alone' : place };
      if (params.has(smaller)) yield smaller;
    }
  });
}
