import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { allProcesses, listenersAt } from './processes.ts';

const self = () => allProcesses()?.filter(({ pid }) => pid === process.pid) ?? [];

async function listening<T>(
  host: string,
  action: (port: number) => Promise<T>,
  ipv6Only = false,
): Promise<T> {
  const server = await new Promise<Server>((ready) => {
    const made = createServer();
    made.listen({ port: 0, host, ipv6Only }, () => ready(made));
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
  ])('who listens at %s is known at %s', async (host, named) => {
    await listening(host, async (port) => {
      const url = new URL(`http://${named}:${port}/v1`);
      expect(await listenersAt(url, self())).toEqual({ strangers: [], isHidden: false });
      const { strangers, isHidden } = await listenersAt(url, []);
      expect(strangers).toEqual([expect.stringMatching(new RegExp(` \\(pid ${process.pid}\\)$`))]);
      expect(isHidden).toBe(false);
    });
  });

  test('nobody listens: nothing is known', async () => {
    const port = await listening('127.0.0.1', async (one) => one);
    expect(await listenersAt(new URL(`http://127.0.0.1:${port}`), self())).toEqual({
      strangers: [],
      isHidden: true,
    });
  });
});
