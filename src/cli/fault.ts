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
