import pLimit from 'p-limit';
import { Client } from '../http/client.ts';
import { type Answer, type Exchange, isSuccess, type Request } from '../http/exchange.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { QUIET } from '../settings/limits.ts';
import type { Settings, Target } from '../settings/settings.ts';
import type { Identifier } from './identifier.ts';
import { type NewUser, UserFactory } from './users.ts';

/** A user that exists and can be retrieved: created by this run, or in read-only mode found in the list. */
export interface KnownUser extends NewUser {
  identifier: Identifier;
  /** The answer that retrieved it first. */
  retrieved: Answer;
  /** Whether no service may refuse it or change its values. */
  plain: boolean;
  /** The exchange that created it; absent in read-only mode. */
  created?: Exchange;
}

/** A creation that the target must not carry out. */
export interface ForbiddenCreation {
  what: string;
  request: Request;
  /** Values by which a user made of it would be found; empty where the request carries none. */
  traces: string[];
  exchange: Exchange;
}

/** What a run counts and observes, for the reports. */
export interface Tally {
  tag: string;
  baseUrl: string;
  /** How many requirements there are, judged or not. */
  requirements: number;
  /** When the run began: milliseconds since 1970. */
  start: number;
  requests: number;
  usersCreated: number;
  /** Which freedoms the target uses: a name, and the values seen. */
  observations: Record<string, string[]>;
}

/** The facts that the checks of one run share. */
export class Session {
  /** All requirements, so that one can stand on another. */
  readonly requirements: readonly Requirement[];
  /** The outcomes so far, and those under way, by slug. */
  readonly outcomes = new Map<string, Promise<Outcome>>();
  readonly settings: Settings;
  readonly target: Target;
  readonly client: Client;
  readonly factory: UserFactory;
  /** The users that were created and retrieved. */
  readonly users: KnownUser[] = [];
  /** Emails and names of all users that the run tried to create, in lower case. */
  readonly sent = new Set<string>();
  readonly forbidden: ForbiddenCreation[] = [];
  /** The creations of plain users, which no service may refuse. */
  readonly plainCreations: Exchange[] = [];
  /** Creations that a service may carry out or not, whatever it answers. */
  readonly uncertain = new Set<Exchange>();
  /** Emails and names of users that were sent with a member that is no string: only their own requirement judges them. */
  readonly mistyped = new Set<string>();
  /** Where the identifier of the first user was found: looked at first from then on. */
  identifierPlace: string | undefined;
  readonly #facts = new Map<string, Promise<{ value?: unknown; error?: unknown; seen: Exchange[] }>>();
  readonly #quiet = pLimit(QUIET);
  #listUnderWay: Promise<unknown> = Promise.resolve();
  #listAskedFor: Promise<Answer> | undefined;
  readonly #observations = new Map<string, Set<string>>();

  constructor(
    requirements: readonly Requirement[],
    target: Target,
    settings: Settings,
    client = new Client(target, settings),
  ) {
    this.requirements = requirements;
    this.target = target;
    this.settings = settings;
    this.client = client;
    this.factory = new UserFactory(settings.emailDomain);
  }

  /** A plain user for this run, not yet created. */
  newUser(): NewUser {
    const user = this.factory.make();
    this.sent.add(user.email).add(user.name.toLowerCase());
    return user;
  }

  /** Finds a fact out once; a failure to do so is remembered as well. */
  fact(name: string, find: () => Promise<{ value?: unknown; error?: unknown; seen: Exchange[] }>) {
    const known = this.#facts.get(name) ?? find();
    this.#facts.set(name, known);
    return known;
  }

  /** One list for all who ask while another is under way: it begins after they asked, so it shows what they wrote. */
  freshList(list: () => Promise<Answer>): Promise<Answer> {
    this.#listAskedFor ??= this.#listUnderWay.then(() => {
      this.#listAskedFor = undefined;
      const answer = list();
      this.#listUnderWay = answer.catch(() => undefined);
      return answer;
    });
    return this.#listAskedFor;
  }

  /** Looks again when few others do: a lagging service is asked for many users at the same time. */
  quietly<T>(look: () => Promise<T>): Promise<T> {
    return this.#quiet(look);
  }

  /** Notes which freedom the target uses. */
  observe(name: string, value: string): void {
    this.#observations.set(name, (this.#observations.get(name) ?? new Set()).add(this.client.redact(value)));
  }

  tally(): Tally {
    const created = this.client.record.filter(isCreated);
    const observations = [...this.#observations].map(([name, values]) => [name, [...values].sort()] as const);
    return {
      tag: this.factory.tag,
      baseUrl: this.target.baseUrl,
      requirements: this.requirements.length,
      start: this.client.started.getTime(),
      requests: this.client.requestsSent,
      usersCreated: created.length,
      observations: Object.fromEntries(observations.sort(([a], [b]) => a.localeCompare(b))),
    };
  }
}

/** Whether an exchange is a creation that the target says it has carried out. */
export function isCreated(exchange: Exchange): boolean {
  return exchange.request.method === 'POST' && isSuccess(exchange);
}
