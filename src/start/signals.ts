const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let handler = () => {};

/**
 * Sets the handler of Ctrl-C, SIGTERM and SIGHUP; it replaces the one before. The listener is never
 * removed: a signal without a listener ends the process.
 */
export function onSignal(next: () => void): void {
  handler = next;
  for (const signal of SIGNALS) {
    if (!process.listeners(signal).includes(handleSignal)) process.on(signal, handleSignal);
  }
}

function handleSignal(): void {
  handler();
}

/** Calls an action at the first signal. The second ends the process with the exit code of then. */
export function onInterrupt(action: () => void, ending: { exitCode: number }): void {
  onSignal(() => {
    onSignal(() => process.exit(ending.exitCode));
    action();
  });
}
