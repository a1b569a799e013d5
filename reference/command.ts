import { serveReference } from './service.ts';

/**
 * The default key. It is public, because the service listens on the loopback interface and stores
 * nothing.
 */
const EXAMPLE_KEY = 'reference-key';

/**
 * Serves the reference service until it is interrupted, on PORT with API_KEY. Returns the exit
 * code: 0 if the service started, 2 if not.
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
    const problem =
      code === 'EADDRINUSE' ? 'is taken: choose another by PORT' : `can't be used (${code})`;
    process.stderr.write(`Port ${PORT} ${problem}.\n`);
    return 2;
  }
}
