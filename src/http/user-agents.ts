import type { Request } from './exchange.ts';

/** What usual clients of such an interface call themselves. */
const USER_AGENTS = [
  'curl/8.5.0',
  'python-requests/2.32.3',
  'Go-http-client/1.1',
  'okhttp/4.12.0',
  'axios/1.7.7',
  'PostmanRuntime/7.42.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
];

/** One of them at random: nothing in a run's requests says that they come from a test. */
export function drawUserAgent(): string {
  return USER_AGENTS[Math.floor(Math.random() * USER_AGENTS.length)] as string;
}

/** A request with a name of its client, unless it has one. */
export function named(request: Request, userAgent: string): Request {
  const { headers } = request;
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent')) return request;
  return { ...request, headers: { ...headers, 'user-agent': userAgent } };
}
