import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { findListeners } from './processes.ts';

/** Calls an action while this process listens at a host. */
async function whileListening<T>(host: string, action: (port: number) => Promise<T>): Promise<T> {
  const server = await new Promise<Server>((ready) => {
    const created = createServer();
    created.listen({ port: 0, host }, () => ready(created));
  });
  const { port } = server.address() as { port: number };
  return action(port).finally(() => server.close());
}

describe.runIf(existsSync('/proc/net/tcp'))('on Linux', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', 'localhost'],
    ['0.0.0.0', '127.0.0.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '127.0.0.1'],
    ['::', '[::1]'],
    ['::1', '[::1]'],
  ])('finds the process that listens at %s by the address %s', async (host, address) => {
    await whileListening(host, async (port) => {
      const url = new URL(`http://${address}:${port}/v1`);
      expect(await findListeners(url, [process.pid])).toEqual({ strangers: [], isHidden: false });
      const { strangers, isHidden } = await findListeners(url, []);
      expect(strangers).toEqual([expect.stringMatching(new RegExp(` \\(pid ${process.pid}\\)$`))]);
      expect(isHidden).toBe(false);
    });
  });

  test('finds no process if none listens', async () => {
    const port = await whileListening('127.0.0.1', async (freed) => freed);
    expect(await findListeners(new URL(`http://127.0.0.1:${port}`), [process.pid])).toEqual({
      strangers: [],
      isHidden: true,
    });
  });
});
