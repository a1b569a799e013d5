/** Unusable settings. The message is one sentence that says how to correct them. */
export class SettingsError extends Error {
  override name = 'SettingsError';
  /** Lines to print below the sentence, safe for a terminal. */
  below: string[] = [];
}

/** Returns the result of an action. Replaces an error that it throws by another one. */
export function orThrow<T>(action: () => T, toError: (error: NodeJS.ErrnoException) => Error): T {
  try {
    return action();
  } catch (error) {
    throw toError(error as NodeJS.ErrnoException);
  }
}

/** Returns the result of an action; undefined if it throws. */
export function unlessThrown<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
