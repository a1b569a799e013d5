import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { afterRows } from '../../specs/survival.ts';
import { topics } from '../../specs/thorough/index.ts';
import { judges } from '../../src/conduct/drawn.ts';
import { drawnFrom, oneOf as oneOfThese, take, topic } from '../../src/conduct/topic.ts';
import { round } from '../../src/plan/plan.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import { userFactory } from '../../src/plan/users.ts';
import { isThorough, oneOf } from '../services/sample.ts';

const SEEDS = isThorough ? [1, 2, 3] : [1];

/** The first few: there may be very many. */
function firstOf<T>(all: Iterable<T>): T[] {
  const found: T[] = [];
  for (const one of all) if (found.push(one) === 5) break;
  return found;
}

describe.for(topics.map((one) => [one.what, one] as const))('%s', ([, { params, toCase, fills, ofUser }]) => {
  const all = SEEDS.flatMap((seed) => take(drawnFrom(params, seed), 500));
  const drawn = oneOf(Math.ceil(all.length / 30), all);
  const cases = drawn.map((one) => toCase(one) as { what: string });

  test('cases come back from a file as they were drawn', () => {
    for (const [index, one] of drawn.entries()) {
      const read = JSON.parse(JSON.stringify(one));
      expect(read).toEqual(one);
      expect(params.has(read)).toBe(true);
      expect((toCase(read) as { what: string }).what).toBe(cases[index]?.what);
    }
  });

  test('a step of a round sends its cases', () => {
    const parts = fills.map(({ part, casesOf }) => part.with(...((cases as never[]).flatMap(casesOf) as never[])));
    const names = new Set(parts.flatMap(({ cases }) => cases.map(([step]) => step.name)));
    expect(round.flat().filter(({ name }) => names.has(name))).not.toEqual([]);
  });

  test('smaller cases, and those for one user, are of the same kind', () => {
    const some = drawn.slice(0, 20).flatMap((one) => firstOf(params.smaller?.(one) ?? []));
    const all = [...some, ofUser?.(7)];
    for (const one of all) if (one !== undefined) expect(params.has(JSON.parse(JSON.stringify(one)))).toBe(true);
  });

  test('nothing else is', () => {
    const [first] = drawn as Record<string, unknown>[];
    const wrong = [
      ...[undefined, null, 0, '', 'x', true, [], [first], JSON.parse('{"__proto__":{}}')],
      ...[{ ...first, more: 1 }, JSON.parse(JSON.stringify(first).replace('{', '{"__proto__":1,'))],
      ...Object.keys(first ?? {}).flatMap((name) => {
        const { [name]: _, ...without } = first ?? {};
        const others = [null, {}, [], 'hasOwnProperty', '__lookupGetter__', -1.5e300, 'x\r\ny', '\ud800', [['a']]];
        return [without, ...others.map((value) => ({ ...first, [name]: value }))];
      }),
    ];
    // A text at random may well be one of these.
    const isFree = (one: unknown) => typeof (one as { text?: unknown } | null)?.text === 'string';
    expect(wrong.filter((one) => params.has(one) && !isFree(one))).toEqual([]);
  });
});

test('each topic is judged, and whatever a requirement lets be drawn is drawn', () => {
  expect(topics.filter((one) => !requirements.some((requirement) => judges(requirement, one)))).toEqual([]);
  const parts = requirements.flatMap(({ evidence }) => Object.values(evidence)).filter((part) => 'with' in part);
  const filled = new Set<unknown>(topics.flatMap(({ fills }) => fills.map(({ part }) => part)));
  expect(parts.filter((part) => !filled.has(part))).toEqual([]);
});

test('drawn names are as long as a plain name may be, and no text of a file stands for a longer one', () => {
  const named = (what: string) => topics.find((one) => one.what === what) as (typeof topics)[number];
  const nameOf = (what: string, params: unknown) => {
    const { kind } = named(what).toCase(params) as UserCase;
    return userFactory('example.com').make(kind).name;
  };
  const plain = take(drawnFrom(named('concurrent plain users').params, 1), 1500);
  expect(Math.max(...plain.map((one) => nameOf('concurrent plain users', one).length))).toBe(40);
  expect(nameOf('unusual strings', { text: '<x*900000>' })).toBe('<x*900000>');
  expect(named('letters').params.has({ text: 'x'.repeat(100_000) })).toBe(false);
});

test('drawn addresses, and what is smaller, are plain ones of their own, whatever the domain', () => {
  const { params, toCase } = topics.find(({ what }) => what === 'concurrent plain users') as (typeof topics)[number];
  const longDomain = `${'example.'.repeat(6)}com`;
  const smaller = { name: 'Ada {word}', local: `${'x'.repeat(45)}{tag}` };
  for (const local of [smaller.local, '{digits}.50', 'x.{tag}.y'])
    for (const domain of ['example.com', longDomain]) {
      const factory = userFactory(domain);
      const [one, another] = [1, 2].map(
        () => factory.make((toCase({ ...smaller, local } as never) as UserCase).kind).email,
      );
      expect(one?.length).toBeLessThanOrEqual(64);
      expect(one).not.toBe(another);
    }
  expect(params.has(smaller)).toBe(true);
});

test('a part is filled only by cases of its kind', () => {
  // @ts-expect-error: a row of requests has rows
  topic({ what: 'x', perRound: 1 }, [afterRows], { query: oneOfThese(['x']) }, () => ({ what: 'x' }));
});
