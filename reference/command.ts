import { serveReference } from './service.ts';

/** The key where none is set: public, because a service on the loopback that keeps nothing has nothing to hide. */
const EXAMPLE_KEY = 'reference-key';

/**
 * Serves the reference service until it is interrupted, on PORT with API_KEY. Returns the exit code: 0 when it serves,
 * 2 when it can't.
 */
export async function main(): Promise<number> {
  const { PORT = '3000', API_KEY } = process.env;
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535) {
    process.stderr.write(
      `PORT is "${PORT}": it must be a port number from 0 (one that is free) to 65535.\n`,
    );
    return 2;
  }
  try {
    const { baseUrl, close } = await serveReference(API_KEY || EXAMPLE_KEY, [], Number(PORT));
    process.stdout.write(`The reference service is at ${baseUrl}; end it with Ctrl-C.\n`);
    if (!API_KEY) process.stdout.write(`Its key is ${EXAMPLE_KEY}; set API_KEY for another.\n`);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, close);
    return 0;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const taken =
      code === 'EADDRINUSE' ? 'is taken: choose another by PORT' : `can't be used (${code})`;
    process.stderr.write(`Port ${PORT} ${taken}.\n`);
    return 2;
  }
}
