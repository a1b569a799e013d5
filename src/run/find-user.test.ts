import { describe, expect, test } from 'vitest';
import { inWorld } from '../../tests/made-world.ts';
import type { Patch, User } from '../../tests/services/service.ts';
import { noLocation } from '../../tests/services/variants/variant.ts';
import { createUser } from './create-user.ts';
import { findPlace, findUser } from './find-user.ts';
import type { World } from './world.ts';

/** Creates two users, finds the place of identifiers, and returns both identifiers. */
async function findPlaceByTwo(world: World): Promise<(string | undefined)[]> {
  const first = await createUser(world);
  const second = await createUser(world);
  await findPlace(world, [first, second]);
  return [first, second].map(({ identifier }) => identifier?.text);
}

const emailOf = ({ email }: User) => email;
const nameOf = ({ name }: User) => name;

/** A service that retrieves users by one of their values, and shows no other identifier. */
const identifiedBy =
  (identifierOf: (user: User) => string): Patch =>
  (service) => {
    service.find = (id) => service.users.find((user) => identifierOf(user) === id);
    service.record = ({ email, name }) => ({ email, name });
    noLocation(service);
  };

/** A service that shows values that are the same for all users. */
const withSharedValues: Patch = (service) => {
  service.record = (user) => ({ role: 'user', tenantId: 't-1', ...user });
};

describe('the place of identifiers', () => {
  test('is a member of the create response', () =>
    inWorld([noLocation], async (world) => {
      const [first, second] = await findPlaceByTwo(world);
      expect(world.place).toBe('create response: id');
      expect(first).not.toBe(second);
    }));

  test('is not a member whose value both users share', () =>
    inWorld([withSharedValues, noLocation], async (world) => {
      await findPlaceByTwo(world);
      expect(world.place).toBe('create response: id');
    }));

  test('is a list item if the create response has no identifier', () => {
    const emptyResponse: Patch = (service) => {
      service.created = () => ({ status: 201 });
    };
    return inWorld([emptyResponse], async (world) => {
      expect(await findPlaceByTwo(world)).toEqual([expect.any(String), expect.any(String)]);
      expect(world.place).toBe('list item: id');
    });
  });

  test('is the email if users are retrieved by it', () =>
    inWorld([identifiedBy(emailOf)], async (world) => {
      const emails = await findPlaceByTwo(world);
      expect(emails).toEqual(world.ledger.creations.map(({ user }) => user.email));
    }));

  test('is the name if users are retrieved by it', () =>
    inWorld([identifiedBy(nameOf)], async (world) => {
      const names = await findPlaceByTwo(world);
      expect(names).toEqual(world.ledger.creations.map(({ user }) => user.name));
    }));

  test('is unknown if no value retrieves the users', () => {
    const lost: Patch = (service) => {
      service.find = () => undefined;
    };
    return inWorld([lost], async (world) => {
      expect(await findPlaceByTwo(world)).toEqual([undefined, undefined]);
      expect(world.place).toBeUndefined();
    });
  });
});

describe('another user', () => {
  test('is retrieved by the value in that place', () =>
    inWorld([noLocation], async (world) => {
      await findPlaceByTwo(world);
      const creation = await createUser(world);
      const read = await findUser(world, creation);
      expect(read?.record).toMatchObject(creation.user);
      expect(creation.identifier?.place).toBe('create response: id');
    }));

  test('is not found if the service has lost it', () => {
    const losesThird: Patch = (service) => {
      const { store } = service;
      service.store = (user) => service.users.length < 2 && store(user);
    };
    return inWorld([losesThird], async (world) => {
      await findPlaceByTwo(world);
      const creation = await createUser(world);
      const read = await findUser(world, creation);
      expect(read?.exchange.response?.status).toBe(404);
      expect(creation.identifier).toBeUndefined();
    });
  });
});
