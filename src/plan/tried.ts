/** One thing that was tried in company; where that went wrong, what it took to tell whose fault it is. */
export interface Tried<T, C = unknown> {
  /** The case. */
  one: C;
  /** What came of it while other requests were under way. */
  first: T;
  /** Where that was wrong: what came of the usual request, alone. Where the case is a usual request, that is the same once more. */
  usual?: T;
  /** Where that was right: what came of the same again, alone. Where it was not: of the same with other data. */
  again?: T;
}

/** Whose fault it is: nobody's; the operation's as such; the case's own; its company's; its data's; or nobody knows. */
export type Fault = 'none' | 'operation' | 'case' | 'company' | 'data' | 'open';

/** How something is tried again when nothing else is under way. */
export interface Retry<T> {
  isRight: (one: T) => boolean;
  /** Sends the usual request. */
  usual: (isSecond: boolean) => Promise<T>;
  /** Sends the same once more; absent where it is a usual request itself. */
  same?: (() => Promise<T>) | undefined;
  /** Sends the same with other data; undefined where that can't be had. */
  anew?: (() => Promise<T | undefined>) | undefined;
}

/** Tries again what was wrong in company: the usual request, then the same. The one place where that is done. */
export async function tryAgain<T, C>(
  tried: Tried<T, C>,
  { isRight, usual, same, anew }: Retry<T>,
): Promise<Tried<T, C>> {
  if (isRight(tried.first)) return tried;
  const once = await usual(false);
  // The first request after a bad one may still be upset by it.
  const control = isRight(once) || same === undefined ? once : await usual(true);
  const again = await (isRight(control) ? same : anew)?.();
  return { ...tried, usual: control, ...(again !== undefined && { again }) };
}

/** Tells whose fault it is that something was wrong in company. Pure. */
export function faultOf<T>({ first, usual, again }: Omit<Tried<T>, 'one'>, isRight: (one: T) => boolean): Fault {
  if (isRight(first)) return 'none';
  if (usual === undefined) return 'open';
  if (isRight(usual)) return again === undefined || isRight(again) ? 'company' : 'case';
  return again !== undefined && isRight(again) ? 'data' : 'operation';
}

/** The last word on it: how it is when nothing else is under way. */
export function settled<T>({ first, usual, again }: Tried<T>): T {
  return again ?? usual ?? first;
}
