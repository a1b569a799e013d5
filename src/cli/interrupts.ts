const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls a function at the first Ctrl-C, SIGTERM or SIGHUP, and ends the process by an exit code at the second. */
export function onInterrupt(atFirst: () => void, exitCode: () => number): void {
  const listen = (listener: () => void) => {
    for (const signal of SIGNALS) process.removeAllListeners(signal).once(signal, listener);
  };
  listen(() => {
    listen(() => process.exit(exitCode()));
    atFirst();
  });
}

/** Hands what nobody catches to a function, until the function that it returns is called. */
export function onFault(take: (error: unknown) => void): () => void {
  const before = process.listeners('uncaughtException');
  const listen = (listeners: ((error: Error, origin: NodeJS.UncaughtExceptionOrigin) => void)[]) => {
    for (const event of ['uncaughtException', 'unhandledRejection'] as string[]) {
      process.removeAllListeners(event);
      for (const listener of listeners) process.on(event, listener);
    }
  };
  listen([take]);
  return () => listen(before);
}
