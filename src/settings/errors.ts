/** The settings are unusable; the message is the one sentence that says what to do. */
export class SettingsError extends Error {
  /** Lines to show below the sentence, each as it may stand on a terminal. */
  readonly below: string[];

  constructor(message: string, below: string[] = []) {
    super(message);
    this.below = below;
  }
}

/** What a function returns. Where it throws, another error is thrown, which is made of that one. */
export function orThrow<T>(act: () => T, made: (error: NodeJS.ErrnoException) => Error): T {
  try {
    return act();
  } catch (error) {
    throw made(error as NodeJS.ErrnoException);
  }
}

/** What a function returns; undefined where it throws. */
export function unlessThrown<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** What the system calls a fault, such as ENOENT. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}
