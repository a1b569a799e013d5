import { expect, test } from 'vitest';
import { PLAIN_KINDS } from '../../specs/plain-users.ts';
import { inDigits, userFactory } from './users.ts';

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

test.each(PLAIN_KINDS)('a user of the kind "$name" is plain, whatever the tag', ({ user }) => {
  for (let times = 0; times < 50; times += 1) {
    const factory = userFactory('example.com');
    const { email, name } = factory.make(user);
    expect(email).toMatch(PLAIN_EMAIL);
    expect(name).toMatch(PLAIN_NAME);
  }
});

test.each(PLAIN_KINDS)('two users of the kind "$name" are never the same', ({ user }) => {
  const factory = userFactory('example.com', 'malorine');
  const first = factory.make(user);
  const second = factory.make(user);
  expect(second.email).not.toBe(first.email);
});

test('the same tag makes the same users', () => {
  const usersOf = () => {
    const factory = userFactory('example.com', 'malorine');
    return [factory.make(), factory.make(PLAIN_KINDS[0]?.user)];
  };
  expect(usersOf()).toEqual(usersOf());
});

test('a tag in digits has two for each letter', () => {
  expect(inDigits('abz')).toBe('101135');
});
