import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { SecureContext } from 'node:tls';
import type { OutgoingRequest, RawResponse } from './senders.ts';

/** Whether a request has a Connection header (RFC 9110 section 7.6.1), unsupported by undici. */
export const hasConnectionHeader = ({ headers }: OutgoingRequest): boolean =>
  Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'connection');

/**
 * Sends a request without a body on a new connection, with Node's own client. Rejects with Node's
 * error, or with the reason of the signal.
 */
export function sendHopByHop(
  outgoing: OutgoingRequest,
  secureContext: SecureContext | undefined,
): Promise<RawResponse> {
  const { origin, path, headers, signal, onWrite, onHead } = outgoing;
  return new Promise((resolve, reject) => {
    const url = new URL(`${origin}`);
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const clientRequest = request({
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      path,
      headers: headers as Record<string, string>,
      agent: false,
      ...(secureContext && { secureContext }),
    });
    const abort = () => clientRequest.destroy(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    clientRequest.on('error', reject);
    clientRequest.on('finish', () => onWrite?.());
    clientRequest.on('response', (response) => {
      const statusCode = response.statusCode ?? 0;
      let bytesLeft = onHead(statusCode);
      const chunks: Buffer[] = [];
      const finish = () => {
        const body = Buffer.concat(chunks);
        resolve({ statusCode, headers: response.rawHeaders, body });
      };
      response.on('error', reject);
      response.on('end', finish);
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytesLeft -= chunk.length;
        if (bytesLeft >= 0) return;
        finish();
        response.destroy();
      });
    });
    clientRequest.end();
  });
}
