import type { Header } from '../settings/target.ts';
import type { Request } from './exchange.ts';
import { HEADER_VALUE } from './key.ts';
import { linesOf } from './lists.ts';

/** What usual clients of such an interface call themselves. */
const USER_AGENTS = linesOf('user-agents');

/** One of them at random: nothing in a run's requests says that they come from a test. */
export const drawUserAgent = (): string => USER_AGENTS[Math.floor(Math.random() * USER_AGENTS.length)] as string;

/**
 * A request with the name of a client, unless it has one, and the headers that go with all of them: a mark in the place
 * of each value; cookies are put together.
 */
export function withHeaders(request: Request, userAgent: string, headers: readonly Header[]): Request {
  const all = { ...request.headers };
  const nameIn = (name: string) => Object.keys(all).find((other) => other.toLowerCase() === name.toLowerCase());
  if (nameIn('user-agent') === undefined) all['user-agent'] = userAgent;
  for (const { name } of headers) {
    const same = nameIn(name);
    const value = same && /^cookie$/i.test(name) ? `${all[same]}; ${HEADER_VALUE}` : HEADER_VALUE;
    if (same) delete all[same];
    all[name] = value;
  }
  return { ...request, headers: all };
}

/** The value of a request's header, with that of the settings in the place of its mark. */
export function fillInHeader(name: string, value: string, headers: readonly Header[]): string {
  const own = headers.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return own ? value.replace(HEADER_VALUE, () => own.value) : value;
}
