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

const FAULTS = ['uncaughtException', 'unhandledRejection'] as const;

/** Hands what nobody catches to a function from now on. */
export function onFault(take: (error: unknown) => void): void {
  for (const event of FAULTS) process.removeAllListeners(event).on(event, take);
}
