import type { Patch, Reply, Request, Service } from '../service.ts';

/**
 * How often the run has sent nothing for long: what a service knows by its clock, without any real
 * time.
 */
export interface Pauses {
  count: number;
}

/** A service whose fault needs depth: the default run finds it at most by chance. */
export interface Deep {
  name: string;
  /** The requirement that tells it. */
  slug: string;
  /** Other requirements without whose cases the fault does not show. */
  beside: readonly string[];
  patch: (service: Service, pauses: Pauses) => void;
  /** Whether it depends on what overlaps: then four seeds of five are enough. */
  isRace?: true;
}

/** Declares services whose faults the same requirement tells, besides cases of others. */
export const deep =
  (slug: string, ...beside: string[]) =>
  (name: string, patch: Deep['patch']): Deep => ({ slug, beside, name, patch });

/** The same, for what depends on what overlaps. */
export const race =
  (slug: string, ...beside: string[]) =>
  (name: string, patch: Deep['patch']): Deep => ({ slug, beside, name, patch, isRace: true });

/** Several faults of a kind: one for each value. */
export const each = <T>(values: T[], make: (value: T) => Deep): Deep[] => values.map(make);

/** A turn of the loop in which a server takes what has come in. */
const turn = () => new Promise<void>((over) => setImmediate(over));

/** So many of them. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await turn();
}

/**
 * Requests that come in together, as a service sees them that takes its time for each: none goes on
 * before all are there that were sent at the same time. By order and count, however busy the
 * machine is.
 */
export class Together {
  #arrived = 0;
  #underWay = 0;

  /**
   * Runs `job` with the number of those that are under way when all have come, and the place of
   * this one among them.
   */
  async join<T>(job: (underWay: number, place: number) => T | Promise<T>): Promise<T> {
    this.#arrived += 1;
    this.#underWay += 1;
    const place = this.#underWay;
    for (let seen = -1; seen !== this.#arrived; ) {
      seen = this.#arrived;
      for (let turns = 0; turns < (this.#underWay > 1 ? 6 : 2); turns += 1) await turn();
    }
    const underWay = this.#underWay;
    try {
      // Nobody leaves before all have seen how many they are.
      await turn();
      return await job(underWay, place);
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** What a service does with every request of a kind, in company with others of it. */
export const inCompany =
  (
    isMeant: (request: Request) => boolean,
    change: (underWay: number, place: number) => Reply | undefined,
  ): Patch =>
  (service) => {
    const { handle } = service;
    const together = new Together();
    service.handle = (request) => {
      if (!isMeant(request)) return handle(request);
      return together.join((underWay, place) => change(underWay, place) ?? handle(request));
    };
  };

/** Changes the name that is stored, where `when` says so. */
export const storing =
  (when: (name: string) => boolean, change: (name: string) => string): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) =>
      store(when(user.name) ? Object.assign(user, { name: change(user.name) }) : user);
  };

/** Changes the email that is stored. */
export const storingEmail =
  (change: (email: string) => string): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => store(Object.assign(user, { email: change(user.email) }));
  };

/** Refuses creations of a kind. */
export const refusing =
  (when: (user: { email: string; name: string }) => boolean): Patch =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      return !('error' in parsed) && when(parsed) ? { error: 'not allowed' } : parsed;
    };
  };

export const isList = ({ method, path }: Request) => method === 'GET' && path.endsWith('/users');
export const isCreation = ({ method }: Request) => method === 'POST';
export const isRetrieval = ({ method, path }: Request) =>
  method === 'GET' && /\/users\/./.test(path);

/** Several patches of one service. */
export const both =
  (...patches: Patch[]): Patch =>
  (service) => {
    for (const patch of patches) patch(service);
  };
