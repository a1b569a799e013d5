const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let answer = () => {};

/**
 * Says what the next Ctrl-C, SIGTERM or SIGHUP does, until it is said again. The listener stays: between one that is
 * removed and the next one the system would end the process by itself.
 */
export function onSignal(next: () => void): void {
  answer = next;
  for (const signal of SIGNALS)
    if (!process.listeners(signal).includes(hear)) process.on(signal, hear);
}

/**
 * Calls a function at the first signal, and ends the process by an exit code at the second: the one that it has by
 * then.
 */
export function onInterrupt(atFirst: () => void, ending: { exitCode: number }): void {
  onSignal(() => {
    onSignal(() => process.exit(ending.exitCode));
    atFirst();
  });
}

const hear = (): void => answer();
