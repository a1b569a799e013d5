import type { World } from '../run/world.ts';

/** What an exploration may use. */
export interface Bounds {
  budgetMs: number;
  maxRequests: number;
  maxUsers: number;
}

/** What an exploration has used so far. */
export interface Used {
  usedMs: number;
  users: number;
  requests: number;
}

/** Requests and users that a round may take beyond the bounds, and that the last looks need. */
const RESERVED = { requests: 300, users: 20 };

/** Keeps an exploration within its bounds. */
export class Budget {
  readonly #world: World;
  readonly #bounds: Bounds;
  #began: number;

  constructor(world: World, bounds: Bounds) {
    this.#world = world;
    this.#bounds = bounds;
    this.#began = world.client.now();
  }

  used(): Used {
    const { client, ledger } = this.#world;
    const users = ledger.creations.filter(({ response }) => response !== 'rejected').length;
    return { usedMs: client.now() - this.#began, users, requests: client.requestsSent };
  }

  /** How many users may still be created. */
  usersLeft(): number {
    if (this.#world.settings.readOnly) return 0;
    return Math.max(0, this.#bounds.maxUsers - RESERVED.users - this.used().users);
  }

  /** Sends nothing for a while, which does not count: the budget is for exploring. */
  async pause(milliseconds: number): Promise<void> {
    const { client } = this.#world;
    const before = client.now();
    await client.deadline.pause(milliseconds);
    this.#began += client.now() - before;
  }

  /** Why no further round may be sent, a clause; undefined if one may. */
  whyOver(): string | undefined {
    const { budgetMs, maxRequests } = this.#bounds;
    const { usedMs, users, requests } = this.used();
    // Every user is retrieved once more at the end.
    const atEnd = users + RESERVED.requests;
    const perRequest = this.#world.client.now() / Math.max(1, requests);
    if (usedMs + perRequest * atEnd >= budgetMs) return 'the time budget was used up';
    return requests + atEnd >= maxRequests ? 'the request limit was reached' : undefined;
  }
}
