import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DiagnosticsChannel } from 'undici';
import { readBody } from '../src/http/response.ts';
import type { ReadResponse } from './openapi.ts';

interface PartialResponse {
  method: string;
  path: string;
  status: number;
  headers: Map<string, string>;
  chunks: Buffer[];
  isComplete: boolean;
}

/**
 * Records every response that this process receives from a service. `stop` ends that and returns
 * them.
 */
export function overhear(baseUrl: string): { stop: () => Promise<ReadResponse[]> } {
  const { origin, pathname } = new URL(baseUrl);
  const responses = new Map<object, PartialResponse>();
  const listeners = {
    'undici:request:headers': ({ request, response }: DiagnosticsChannel.RequestHeadersMessage) => {
      if (`${request.origin}` !== origin || response.statusCode < 200) return;
      const { method = 'GET', path } = request;
      responses.set(request, {
        method,
        path,
        status: response.statusCode,
        headers: headersOf(response.headers),
        chunks: [],
        isComplete: false,
      });
    },
    'undici:request:bodyChunkReceived': ({
      request,
      chunk,
    }: DiagnosticsChannel.RequestBodyChunkReceivedMessage) => {
      // A copy: the parser reuses its memory for the next chunk.
      responses.get(request)?.chunks.push(Buffer.from(chunk));
    },
    'undici:request:trailers': ({ request }: DiagnosticsChannel.RequestTrailersMessage) => {
      const response = responses.get(request);
      if (response) response.isComplete = true;
    },
  };
  const listen = Object.entries(listeners) as [string, (message: unknown) => void][];
  for (const [channel, listener] of listen) subscribe(channel, listener);
  return {
    stop: async () => {
      for (const [channel, listener] of listen) unsubscribe(channel, listener);
      const complete = [...responses.values()].filter(({ isComplete }) => isComplete);
      const basePath = pathname.replace(/\/$/, '');
      return Promise.all(complete.map((response) => readResponse(response, basePath)));
    },
  };
}

/** Returns headers by name, from a list of names and values in turn. */
function headersOf(parts: readonly Buffer[]): Map<string, string> {
  const texts = parts.map((part) => part.toString('latin1'));
  const headers = new Map<string, string>();
  for (let at = 0; at < texts.length; at += 2)
    headers.set((texts[at] ?? '').toLowerCase(), texts[at + 1] ?? '');
  return headers;
}

async function readResponse(
  { method, path, status, headers, chunks }: PartialResponse,
  basePath: string,
): Promise<ReadResponse> {
  const [bare = ''] = path.split('?');
  const isRead = status < 300 && bare.startsWith(`${basePath}/`);
  const encoding = headers.get('content-encoding') ?? '';
  const body = isRead ? await readBody(Buffer.concat(chunks), encoding, 2 ** 26, true) : undefined;
  // Ajv validates JavaScript numbers, so the usual parser serves.
  const value = body?.text && !body.jsonFault ? JSON.parse(body.text) : undefined;
  return { method, path: bare.slice(basePath.length), status, body: value, fault: body?.jsonFault };
}
