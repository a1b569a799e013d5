import { expect, test } from 'vitest';
import { faultOf, settled, tryAgain } from './step.ts';

const CASE = { what: 'a case' };
const isRight = (one: string) => one === 'right';

/** Tries something that was wrong in company; `usual` and `same` are what comes of each, alone. */
async function tried(first: string, usual: string[], same = 'right') {
  const sent: string[] = [];
  const found = await tryAgain(
    { one: CASE, first },
    {
      isRight,
      usual: async (isSecond) => {
        sent.push('usual');
        return usual[isSecond ? 1 : 0] ?? 'wrong';
      },
      same: async () => {
        sent.push('same');
        return same;
      },
    },
  );
  return { fault: faultOf(found, isRight), sent };
}

test('what is right in company is not tried again', async () => {
  expect(await tried('right', [])).toEqual({ fault: 'none', sent: [] });
});

test('it is the company where both are right alone', async () => {
  expect(await tried('wrong', ['right'])).toEqual({ fault: 'company', sent: ['usual', 'same'] });
});

test('it is the case where the usual request is right and the same is wrong again', async () => {
  expect(await tried('wrong', ['right'], 'wrong')).toEqual({ fault: 'case', sent: ['usual', 'same'] });
});

test('it is the operation where the usual request is wrong twice: once it may still be upset', async () => {
  expect(await tried('wrong', ['wrong', 'wrong'])).toEqual({ fault: 'operation', sent: ['usual', 'usual'] });
  expect(await tried('wrong', ['wrong', 'right'])).toEqual({ fault: 'company', sent: ['usual', 'usual', 'same'] });
});

test('it is open where nothing was tried alone', () => {
  expect(faultOf({ first: 'wrong' }, isRight)).toBe('open');
});

test('a case that is a usual request itself is sent once more; it is its company where that is right', async () => {
  const [first, isRightAlone] = ['wrong', { isRight, usual: async () => 'right' }];
  const found = await tryAgain({ one: CASE, first }, isRightAlone);
  expect(found).toEqual({ one: CASE, first, usual: 'right' });
  expect(faultOf(found, isRight)).toBe('company');
});

test('it is the data where the same is wrong alone, too, and right with other data', async () => {
  const again = { isRight, usual: async () => 'wrong', anew: async () => 'right' };
  const found = await tryAgain({ one: CASE, first: 'wrong' }, again);
  expect(faultOf(found, isRight)).toBe('data');
  expect(settled(found)).toBe('right');
  expect(
    faultOf(await tryAgain({ one: CASE, first: 'wrong' }, { ...again, anew: async () => undefined }), isRight),
  ).toBe('operation');
});
