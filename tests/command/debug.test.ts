import { expect, test } from 'vitest';
import type { Patch } from '../services/service.ts';
import { judgeByCommand } from './judge-by-command.ts';

const SECRET = 'gateway/Secret+4711';

/** Behind a gateway that wants a header of its own. */
const behindGateway: Patch = (service) => {
  const { handle } = service;
  service.handle = async (request) =>
    request.headers['x-gateway'] === SECRET ? handle(request) : { status: 403, body: { error: 'who are you?' } };
};

test.concurrent.each(['DEBUG', 'NODE_DEBUG'])(
  '%s=* prints neither the key nor a header that is set',
  async (variable) => {
    const env = { [variable]: '*', CONFORMANCE_HEADERS: `X-Gateway: ${SECRET}` };
    const { code, stdout, stderr, apiKey } = await judgeByCommand(behindGateway, env);
    expect(code).toBe(0);
    expect(stdout.length + stderr.length).toBeGreaterThan(5000);
    for (const secret of [apiKey, SECRET]) {
      for (const form of [secret, encodeURIComponent(secret)]) expect(`${stdout}${stderr}`.includes(form)).toBe(false);
    }
  },
);
