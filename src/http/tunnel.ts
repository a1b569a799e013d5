import { Buffer } from 'node:buffer';
import http, { type Agent } from 'node:http';
import https from 'node:https';
import { type ConnectionOptions, connect } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { NOT_CONNECTED } from './failure.ts';

/**
 * Makes the connections of an agent by way of a proxy (CONNECT, RFC 9110 section 9.3.6). One may take `connectMs` milliseconds
 * to come through.
 */
export function tunnelBy(proxy: URL, isTls: boolean, connectMs: number): Agent['createConnection'] {
  const { auth, ...address } = urlToHttpOptions(proxy);
  const credentials = auth && { 'proxy-authorization': `Basic ${Buffer.from(auth).toString('base64')}` };
  return (options, done) => {
    const { host = '', port } = options as { host?: string; port?: number };
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const asked = (proxy.protocol === 'https:' ? https : http).request({
      ...address,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...credentials },
      timeout: connectMs,
      agent: false,
    });
    asked
      .on('connect', ({ statusCode }, socket, head) => {
        if (head.length > 0) socket.unshift(head);
        if (statusCode === 200)
          return done?.(null, isTls ? connect({ ...(options as ConnectionOptions), socket }) : socket);
        socket.destroy();
        done?.(new Error(`the proxy answered ${statusCode}`), socket);
      })
      .on('timeout', () => asked.destroy(new Error(NOT_CONNECTED)))
      .on('error', (error) => done?.(error, null as never))
      .end();
    return undefined;
  };
}
