import type { World } from '../run/world.ts';

/** The limits of an exploration. */
export interface Bounds {
  budgetMs: number;
  maxRequests: number;
  maxUsers: number;
  onProgress?: (progress: Progress) => void;
}

/** The progress of an exploration. */
export interface Progress {
  /** The present activity. */
  activity: string;
  usedMs: number;
  budgetMs: number;
  users: number;
  requests: number;
}

/** Requests and users for the final lists and for a round that exceeds the limits. */
const RESERVED = { requests: 300, users: 20 };

/** Keeps an exploration within its limits, and reports its progress. */
export class Budget {
  readonly #world: World;
  readonly #bounds: Bounds;
  #began: number;

  constructor(world: World, bounds: Bounds) {
    this.#world = world;
    this.#bounds = bounds;
    this.#began = world.client.now();
  }

  report(activity: string): void {
    const { onProgress, budgetMs } = this.#bounds;
    const { users, requests } = this.#used();
    onProgress?.({ activity, usedMs: this.usedMs, budgetMs, users, requests });
  }

  get usedMs(): number {
    return this.#world.client.now() - this.#began;
  }

  /** The number of users that may still be created. */
  get usersLeft(): number {
    if (this.#world.settings.readOnly) return 0;
    return Math.max(0, this.#bounds.maxUsers - RESERVED.users - this.#used().users);
  }

  /** A clause that says why nothing more may be sent; undefined if something may. */
  get whyOver(): string | undefined {
    const { budgetMs, maxRequests } = this.#bounds;
    const { users, requests } = this.#used();
    // Every user is retrieved once more at the end.
    const requestsAtEnd = users + RESERVED.requests;
    const msPerRequest = this.#world.client.now() / Math.max(1, requests);
    if (this.usedMs + msPerRequest * requestsAtEnd >= budgetMs) {
      return 'the time budget was used up';
    }
    return requests + requestsAtEnd < maxRequests ? undefined : 'the request limit was reached';
  }

  get isOver(): boolean {
    return this.whyOver !== undefined;
  }

  /** Sends nothing for a while. The pause does not count, because the budget is for exploring. */
  async pause(milliseconds: number): Promise<void> {
    const { client } = this.#world;
    const before = client.now();
    await client.deadline.pause(milliseconds);
    this.#began += client.now() - before;
  }

  #used(): { users: number; requests: number } {
    const { client, ledger } = this.#world;
    const users = ledger.creations.filter(({ response }) => response !== 'rejected').length;
    return { users, requests: client.requestsSent };
  }
}
