import type { Settings } from '../../../src/settings/settings.ts';
import type { Patch, Reply, Request, Service } from '../service.ts';

/** A broken service: a named patch of a conforming one, and the requirements that fail on it. */
export interface Broken {
  name: string;
  /** The requirement whose sentence it breaks. */
  slug: string;
  /** What fails besides, because the same fault breaks that sentence as well. */
  also: string[];
  /** What may fail besides, by which requests of a run the fault happens to meet. */
  mayAlso?: string[];
  patch: Patch;
  /** Settings that it needs, such as a short time-out for one that does not answer. */
  settings?: Partial<Settings>;
}

/** Declares a broken service. */
export function broken(slug: string, name: string, patch: Patch, also: string[] = []): Broken {
  return { slug, name, patch, also };
}

/** Lets requests pass that `when` says so about, besides the authorised ones. */
export const alsoAuthorised =
  (when: (request: Request, service: Service) => boolean): Patch =>
  (service) => {
    const { authorised } = service;
    service.authorised = (request) => authorised(request) || when(request, service);
  };

/** Changes every answer of one operation, or of all. */
export const changed =
  (
    change: (reply: Reply, request: Request, service: Service) => Reply,
    operation?: 'list' | 'create' | 'retrieve',
  ): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      const reply = await handle(request);
      return operation === undefined || operation === operationOf(request, service)
        ? change(reply, request, service)
        : reply;
    };
  };

/** Changes the answers of one operation that are 2xx, or of all. */
export const changedSuccess = (
  change: (reply: Reply, request: Request, service: Service) => Reply,
  operation?: 'list' | 'create' | 'retrieve',
): Patch =>
  changed(
    (reply, request, service) => (reply.status < 300 ? change(reply, request, service) : reply),
    operation,
  );

/** Changes the body of the list. */
export const changedList = (
  change: (body: { data: unknown[]; total: number }, service: Service) => unknown,
): Patch =>
  changedSuccess(
    (reply, _, service) => ({ ...reply, body: change(reply.body as never, service) }),
    'list',
  );

export function operationOf(
  { method, path }: Request,
  { base }: Service,
): 'list' | 'create' | 'retrieve' {
  if (path.startsWith(`${base}/users/`)) return 'retrieve';
  return method === 'POST' ? 'create' : 'list';
}

/** The token of a Bearer header, whatever it is. */
export const tokenOf = ({ headers }: Request): string =>
  /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1] ?? '';

/** The body as JSON, or undefined. */
export function jsonOf({ body }: Pick<Request, 'body'>): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

type Members = { email?: unknown; name?: unknown };

/** An object, for its members; undefined where the value is none. */
export const object = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
