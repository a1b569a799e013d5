import type { Settings } from '../../../src/settings/settings.ts';
import type { Patch, Reply, Request, Service } from '../service.ts';

/** A broken service: a patch of the conforming service, and the requirements that it fails. */
export interface Broken {
  name: string;
  /** The requirement that the fault breaks. */
  slug: string;
  /** Further requirements that the same fault breaks. */
  also: string[];
  /** Requirements that fail only if the fault meets certain requests of a run. */
  mayAlso?: string[];
  patch: Patch;
  /** Settings that it needs, such as a short timeout for a service that never responds. */
  settings?: Partial<Settings>;
}

/** A body of the list, as the conforming service returns it. */
export interface ListBody {
  data: unknown[];
  total: number;
}

export type OperationName = 'list' | 'create' | 'retrieve';

/** Declares a broken service. */
export function broken(slug: string, name: string, patch: Patch, also: string[] = []): Broken {
  return { slug, name, patch, also };
}

/** Declares the service of a public report: tests/wild/REPORTS.md lists all of them. */
export const reported = (
  report: string,
  slug: string,
  name: string,
  patch: Patch,
  also: string[] = [],
): Broken => broken(slug, `reported as ${report}: ${name}`, patch, also);

/** Also authorises the requests for which `when` returns true. */
export const alsoAuthorised =
  (when: (request: Request, service: Service) => boolean): Patch =>
  (service) => {
    const { authorised } = service;
    service.authorised = (request) => authorised(request) || when(request, service);
  };

/**
 * Returns a router behind the guard. It carries out without the key the requests that `route` gives
 * another path; undefined leaves a request to the guard.
 */
export const behindGuard =
  (route: (request: Request) => string | undefined): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = (request) => {
      const path = route(request);
      if (path === undefined) return handle(request);
      return handle({
        ...request,
        path,
        headers: { ...request.headers, authorization: `Bearer ${service.key}` },
      });
    };
  };

/** Changes every response of an operation, or of all operations. */
export const changed =
  (
    change: (reply: Reply, request: Request, service: Service) => Reply,
    operation?: OperationName,
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

/** Changes every 2xx response of an operation, or of all operations. */
export const changedSuccess = (
  change: (reply: Reply, request: Request, service: Service) => Reply,
  operation?: OperationName,
): Patch =>
  changed(
    (reply, request, service) => (reply.status < 300 ? change(reply, request, service) : reply),
    operation,
  );

/** Changes the body of the list. */
export const changedList = (change: (body: ListBody, service: Service) => unknown): Patch =>
  changedSuccess(
    (reply, _, service) => ({ ...reply, body: change(reply.body as ListBody, service) }),
    'list',
  );

/** Returns the operation of a request, whatever its method and path are. */
export function operationOf(
  { method, path }: Request,
  { base }: Pick<Service, 'base'>,
): OperationName {
  if (path.startsWith(`${base}/users/`)) return 'retrieve';
  return method === 'POST' ? 'create' : 'list';
}

/** Returns the token of a Bearer header; empty if there is none. */
export const tokenOf = ({ headers }: Request): string =>
  /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1] ?? '';

/** Returns the parsed body; undefined if it is not JSON. */
export function jsonOf({ body }: Pick<Request, 'body'>): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Members that a client sends, of any type. */
export interface Members {
  email?: unknown;
  name?: unknown;
}

/** Returns the value if it is an object and no array; undefined otherwise. */
export const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
