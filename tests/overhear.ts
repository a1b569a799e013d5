import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DiagnosticsChannel } from 'undici';
import { readBody } from '../src/http/response.ts';
import type { Answered } from './openapi.ts';

interface Heard {
  method: string;
  path: string;
  status: number;
  headers: Map<string, string>;
  chunks: Buffer[];
  whole: boolean;
}

/** Hears every answer that this process gets from the service at a base address, until `stop`, which gives them. */
export function overhear(baseUrl: string): { stop: () => Promise<Answered[]> } {
  const { origin, pathname } = new URL(baseUrl);
  const all = new Map<object, Heard>();
  const listeners = {
    'undici:request:headers': ({ request, response }: DiagnosticsChannel.RequestHeadersMessage) => {
      if (`${request.origin}` !== origin || response.statusCode < 200) return;
      const texts = response.headers.map((part) => part.toString('latin1'));
      const headers = new Map(
        texts.flatMap((name, at) => (at % 2 ? [] : [[name.toLowerCase(), texts[at + 1] ?? '']])),
      );
      const { method = 'GET', path } = request;
      all.set(request, {
        method,
        path,
        status: response.statusCode,
        headers,
        chunks: [],
        whole: false,
      });
    },
    'undici:request:bodyChunkReceived': ({
      request,
      chunk,
    }: DiagnosticsChannel.RequestBodyChunkReceivedMessage) => {
      // The parser's memory is used again for what comes next.
      all.get(request)?.chunks.push(Buffer.from(chunk));
    },
    'undici:request:trailers': ({ request }: DiagnosticsChannel.RequestTrailersMessage) => {
      const heard = all.get(request);
      if (heard) heard.whole = true;
    },
  };
  const listen = Object.entries(listeners) as [string, (message: unknown) => void][];
  for (const [channel, listener] of listen) subscribe(channel, listener);
  return {
    stop: async () => {
      for (const [channel, listener] of listen) unsubscribe(channel, listener);
      const whole = [...all.values()].filter((heard) => heard.whole);
      return Promise.all(whole.map((heard) => answered(heard, pathname.replace(/\/$/, ''))));
    },
  };
}

async function answered(
  { method, path, status, headers, chunks }: Heard,
  basePath: string,
): Promise<Answered> {
  const [bare = ''] = path.split('?');
  const isRead = status < 300 && bare.startsWith(`${basePath}/`);
  const encoding = headers.get('content-encoding') ?? '';
  const body = isRead ? await readBody(Buffer.concat(chunks), encoding, 2 ** 26, true) : undefined;
  // Schemas know no other numbers than those of JavaScript.
  const value = body?.text && !body.jsonFault ? JSON.parse(body.text) : undefined;
  return { method, path: bare.slice(basePath.length), status, body: value, fault: body?.jsonFault };
}
