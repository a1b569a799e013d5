import type { Header } from '../settings/headers.ts';
import type { Request } from './exchange.ts';
import { HEADER_VALUE } from './key.ts';

/** A request with the headers that go with all of them, a mark in the place of each value; cookies are put together. */
export function withHeaders(request: Request, headers: readonly Header[]): Request {
  if (headers.length === 0) return request;
  const all = { ...request.headers };
  for (const { name } of headers) {
    const [same, value = ''] = Object.entries(all).find(([other]) => other.toLowerCase() === name.toLowerCase()) ?? [];
    if (same !== undefined) delete all[same];
    all[name] = same !== undefined && /^cookie$/i.test(name) ? `${value}; ${HEADER_VALUE}` : HEADER_VALUE;
  }
  return { ...request, headers: all };
}

/** The value of a request's header, with that of the settings in the place of its mark. */
export function fillInHeader(name: string, value: string, headers: readonly Header[]): string {
  const own = headers.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return own ? value.replace(HEADER_VALUE, () => own.value) : value;
}
