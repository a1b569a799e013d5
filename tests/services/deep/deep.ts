import type { NewUser, Patch, Reply, Request, Service } from '../service.ts';

/** The number of long pauses of the run so far. It replaces the clock of a service. */
export interface Pauses {
  count: number;
}

/** A service whose fault the default run finds only by chance. */
export interface Deep {
  name: string;
  /** The requirement that fails. */
  slug: string;
  /** Further requirements whose cases trigger the fault. */
  beside: readonly string[];
  patch: (service: Service, pauses: Pauses) => void;
  /** Whether the fault depends on requests that overlap. Then four seeds of five are enough. */
  isRace?: true;
}

/**
 * Returns a function that declares services which fail a requirement. `beside` has further slugs.
 */
export const deep =
  (slug: string, ...beside: string[]) =>
  (name: string, patch: Deep['patch']): Deep => ({ slug, beside, name, patch });

/** Returns the same function for faults that depend on requests that overlap. */
export const race =
  (slug: string, ...beside: string[]) =>
  (name: string, patch: Deep['patch']): Deep => ({ slug, beside, name, patch, isRace: true });

/** Makes one service for each value. */
export const faultsFor = <T>(values: T[], make: (value: T) => Deep): Deep[] => values.map(make);

/** Waits for a turn of the event loop, in which the server accepts further requests. */
const turn = () => new Promise<void>((over) => setImmediate(over));

/** Waits for several turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await turn();
}

/**
 * A barrier for concurrent requests. None passes before all have arrived that the client sent at
 * the same time. It counts turns of the event loop instead of time, so that a busy machine changes
 * nothing.
 */
export class Barrier {
  #arrived = 0;
  #inFlight = 0;

  /**
   * Runs `job` when all concurrent requests have arrived, with their number and the position of
   * this one, counted from 1.
   */
  async pass<T>(job: (inFlight: number, place: number) => T | Promise<T>): Promise<T> {
    this.#arrived += 1;
    this.#inFlight += 1;
    const place = this.#inFlight;
    for (let seen = -1; seen !== this.#arrived; ) {
      seen = this.#arrived;
      for (let turns = 0; turns < (this.#inFlight > 1 ? 6 : 2); turns += 1) await turn();
    }
    const inFlight = this.#inFlight;
    try {
      // No request leaves before all have read the number.
      await turn();
      return await job(inFlight, place);
    } finally {
      this.#inFlight -= 1;
    }
  }
}

/** Changes the responses to concurrent requests of a kind; undefined leaves a response as it is. */
export const changesConcurrent =
  (
    isMeant: (request: Request) => boolean,
    change: (inFlight: number, place: number) => Reply | undefined,
  ): Patch =>
  (service) => {
    const { handle } = service;
    const barrier = new Barrier();
    service.handle = (request) => {
      if (!isMeant(request)) return handle(request);
      return barrier.pass((inFlight, place) => change(inFlight, place) ?? handle(request));
    };
  };

/** Changes stored names for which `when` returns true. */
export const storing =
  (when: (name: string) => boolean, change: (name: string) => string): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) =>
      store(when(user.name) ? Object.assign(user, { name: change(user.name) }) : user);
  };

/** Changes stored emails. */
export const storingEmail =
  (change: (email: string) => string): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => store(Object.assign(user, { email: change(user.email) }));
  };

/** Rejects the users for which `isRejected` returns true. */
export const rejecting =
  (isRejected: (user: NewUser) => boolean): Patch =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      return !('error' in parsed) && isRejected(parsed) ? { error: 'not allowed' } : parsed;
    };
  };

export const isList = ({ method, path }: Request) => method === 'GET' && path.endsWith('/users');
export const isCreation = ({ method }: Request) => method === 'POST';
export const isRetrieval = ({ method, path }: Request) =>
  method === 'GET' && /\/users\/./.test(path);
