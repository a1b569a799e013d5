import { expect, test } from 'vitest';
import { LISTED_KINDS, PLAIN_KINDS } from '../../specs/plain-users.ts';
import { userFactory } from './users.ts';

const PLAIN_EMAIL = /^(?=.{1,64}$)[a-z0-9.]+@example\.com$/;
const PLAIN_NAME = /^(?=.{1,40}$)[A-Za-z]+ [A-Za-z]+$/;

test('usual users are plain, carry the tag of the run, and are never the same', () => {
  const factory = userFactory('example.com');
  const users = Array.from({ length: 1000 }, () => factory.make());
  for (const { email, name } of users) {
    expect(email).toMatch(PLAIN_EMAIL);
    expect(name).toMatch(PLAIN_NAME);
    expect(email).toMatch(new RegExp(`^[a-z]+[.]${factory.tag}\\d+@`));
  }
  expect(new Set(users.map(({ email }) => email)).size).toBe(1000);
  expect(new Set(users.map(({ name }) => name)).size).toBe(1000);
});

test.each([...PLAIN_KINDS, ...LISTED_KINDS])(
  'a user of the kind "$what" is plain, whatever the tag and the number',
  (kind) => {
    for (let times = 0; times < 50; times += 1) {
      const factory = userFactory('example.com');
      for (let made = 0; made < (times === 0 ? 999 : 1); made += 1) factory.make();
      const { email, name } = factory.make(kind);
      expect(email).toMatch(PLAIN_EMAIL);
      expect(name).toMatch(PLAIN_NAME);
      expect(`${email} ${name}`.toLowerCase()).toMatch(
        new RegExp(`${factory.tag}|very short|${digitsOf(factory.tag)}`),
      );
    }
  },
);

function digitsOf(tag: string): string {
  return [...tag].map((letter) => `${letter.charCodeAt(0) - 87}`).join('');
}
