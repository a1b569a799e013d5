import type { World } from '../run/world.ts';

/** The limits of an exploration. */
export interface Bounds {
  budgetMs: number;
  maxRequests: number;
  maxUsers: number;
}

/** The time, users and requests that an exploration has used so far. */
export interface Usage {
  usedMs: number;
  users: number;
  requests: number;
}

/** Requests and users for the final lists and for a round that exceeds the limits. */
const RESERVED = { requests: 300, users: 20 };

/** Keeps an exploration within its limits. */
export class Budget {
  readonly #world: World;
  readonly #bounds: Bounds;
  #began: number;

  constructor(world: World, bounds: Bounds) {
    this.#world = world;
    this.#bounds = bounds;
    this.#began = world.client.now();
  }

  usage(): Usage {
    const { client, ledger } = this.#world;
    const users = ledger.creations.filter(({ response }) => response !== 'rejected').length;
    return { usedMs: client.now() - this.#began, users, requests: client.requestsSent };
  }

  /** Returns the number of users that may still be created. */
  usersLeft(): number {
    if (this.#world.settings.readOnly) return 0;
    return Math.max(0, this.#bounds.maxUsers - RESERVED.users - this.usage().users);
  }

  /** Sends nothing for a while. The pause does not count, because the budget is for exploring. */
  async pause(milliseconds: number): Promise<void> {
    const { client } = this.#world;
    const before = client.now();
    await client.deadline.pause(milliseconds);
    this.#began += client.now() - before;
  }

  /** Returns a clause that says why no further round may be sent; undefined if one may. */
  whyOver(): string | undefined {
    const { budgetMs, maxRequests } = this.#bounds;
    const { usedMs, users, requests } = this.usage();
    // Every user is retrieved once more at the end.
    const requestsAtEnd = users + RESERVED.requests;
    const msPerRequest = this.#world.client.now() / Math.max(1, requests);
    const msAtEnd = msPerRequest * requestsAtEnd;
    if (usedMs + msAtEnd >= budgetMs) return 'the time budget was used up';
    if (requests + requestsAtEnd >= maxRequests) return 'the request limit was reached';
    return undefined;
  }
}
