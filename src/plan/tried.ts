/** One thing that was tried in company; where that went wrong, what it took to tell whose fault it is. */
export interface Tried<T> {
  /** What came of it while other requests were under way. */
  first: T;
  /** Where that was wrong: what came of the usual request, alone. */
  usual?: T;
  /** Where that was right: what came of the same thing again, alone. */
  again?: T;
}

/** Whose fault it is: nobody's; the operation's as such; the case's own; its company's; or nobody knows. */
export type Fault = 'none' | 'operation' | 'case' | 'company' | 'open';

/** Tries again, with nothing else under way, what was wrong in company: the usual request, then the same. */
export async function tryAgain<T>(
  first: T,
  isRight: (one: T) => boolean,
  usual: (isSecond: boolean) => Promise<T>,
  same: () => Promise<T>,
): Promise<Tried<T>> {
  if (isRight(first)) return { first };
  // The first request after a bad one may still be upset by it.
  const once = await usual(false);
  const control = isRight(once) ? once : await usual(true);
  return isRight(control) ? { first, usual: control, again: await same() } : { first, usual: control };
}

/** Tells whose fault it is that something was wrong in company. Pure. */
export function faultOf<T>({ first, usual, again }: Tried<T>, isRight: (one: T) => boolean): Fault {
  if (isRight(first)) return 'none';
  if (usual === undefined) return 'open';
  if (!isRight(usual)) return 'operation';
  if (again === undefined) return 'open';
  return isRight(again) ? 'company' : 'case';
}
