import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { SecureContext } from 'node:tls';
import type { Outgoing, Received } from './senders.ts';

/** Whether a request has a Connection header of its own (RFC 9110 section 7.6.1), which undici does not send. */
export const hasConnectionHeader = ({ headers }: Outgoing): boolean =>
  Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'connection');

/**
 * Sends a request without a body and with a Connection header on a new connection, by Node's own client. Returns the
 * status, the headers as names and values in turn, and the body. Rejects with Node's error, or with the reason of the
 * signal.
 */
export function sendHopByHop(
  { origin, path, headers, signal, onWrite, onHead }: Outgoing,
  secureContext: SecureContext | undefined,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const url = new URL(`${origin}`);
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const sent = request({
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      path,
      headers: headers as Record<string, string>,
      agent: false,
      ...(secureContext && { secureContext }),
    });
    const abort = () => sent.destroy(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    sent.on('error', reject);
    sent.on('finish', () => onWrite?.());
    sent.on('response', (response) => {
      const statusCode = response.statusCode ?? 0;
      let left = onHead(statusCode);
      const pieces: Buffer[] = [];
      const end = () =>
        resolve({ statusCode, headers: response.rawHeaders, body: Buffer.concat(pieces) });
      response.on('error', reject);
      response.on('end', end);
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        left -= piece.length;
        if (left >= 0) return;
        end();
        response.destroy();
      });
    });
    sent.end();
  });
}
