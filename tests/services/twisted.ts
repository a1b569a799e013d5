import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { answerBytes, header, identifier, jsonText, memberName, status } from './oddities.ts';
import type { Patch, Reply, Request } from './service.ts';

/** The responses of a service that a twist may change. */
export const ANSWERS = ['creation', 'list', 'user', 'refusal', 'nobody', 'invalid'] as const;
export type AnswerName = (typeof ANSWERS)[number];

/** A change that makes a response of a service wrong or odd. */
export type Twist =
  | { part: 'status'; status: number }
  | { part: 'header'; name: string; value: string }
  /** The body as a whole. */
  | { part: 'body'; text: string }
  /**
   * A member of the user's record, of every item of a list, or of a rejection, as JSON text. It
   * replaces the member of that name, or comes in addition if `twice` is set.
   */
  | { part: 'member'; name: string; text: string; twice: boolean }
  /** An additional item of the list, which is no user of the run. */
  | { part: 'item'; text: string }
  /** The bytes of the whole response. */
  | { part: 'bytes'; bytes: string }
  | { part: 'identifier'; text: string };

/** A twist of each response of a kind, or of every second or third. */
export interface Twisted {
  of: AnswerName;
  twist: Twist;
  every: number;
}

const twist: fc.Arbitrary<Twist> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ part: fc.constant('status' as const), status }) },
  { weight: 3, arbitrary: header.map((field) => ({ part: 'header' as const, ...field })) },
  { weight: 3, arbitrary: fc.record({ part: fc.constant('body' as const), text: jsonText }) },
  {
    weight: 6,
    arbitrary: fc.record({
      part: fc.constant('member' as const),
      name: memberName,
      text: jsonText,
      twice: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ part: fc.constant('item' as const), text: jsonText }) },
  { weight: 1, arbitrary: fc.record({ part: fc.constant('bytes' as const), bytes: answerBytes }) },
  {
    weight: 2,
    arbitrary: fc.record({ part: fc.constant('identifier' as const), text: identifier }),
  },
);

/** One to four twists of the responses of one service. */
export const twisted: fc.Arbitrary<Twisted[]> = fc.array(
  fc.record({ of: fc.constantFrom(...ANSWERS), twist, every: fc.integer({ min: 1, max: 3 }) }),
  { minLength: 1, maxLength: 4 },
);

/** Twists the responses of a service. The service itself handles requests correctly. */
export function twistBy(twists: readonly Twisted[]): Patch {
  return (service) => {
    const counts = new Map<Twisted, number>();
    const dueTwists = (name: AnswerName) =>
      twists.filter((twisted) => {
        if (twisted.of !== name) return false;
        const count = (counts.get(twisted) ?? 0) + 1;
        counts.set(twisted, count);
        return count % twisted.every === 0;
      });
    const { newId } = service;
    const identifiers = twists.flatMap(({ twist }) =>
      twist.part === 'identifier' ? [twist.text] : [],
    );
    service.newId = () =>
      identifiers[0] === undefined ? newId() : `${identifiers[0]}${service.users.length}`;
    service.created = (user) => ({
      status: 201,
      headers: { location: `/v1/users/${encodeURIComponent(`${user.id}`.toWellFormed())}` },
      body: user,
    });
    service.write = (response, reply, request) => {
      const due = dueTwists(answerOf(reply, request));
      write(
        response,
        reply,
        due.map(({ twist }) => twist),
      );
    };
  };
}

function answerOf({ status }: Reply, { method, path }: Request): AnswerName {
  if (status === 401) return 'refusal';
  if (status === 404) return 'nobody';
  if (status >= 400) return 'invalid';
  if (method === 'POST') return 'creation';
  return path.endsWith('/users') ? 'list' : 'user';
}

function write(
  response: ServerResponse,
  { status, headers = {}, body }: Reply,
  twists: Twist[],
): void {
  const { socket } = response;
  if (socket === null) return;
  const raw = twists.find((twist) => twist.part === 'bytes');
  if (raw) return void socket.end(raw.bytes, 'latin1');
  const whole = twists.find((twist) => twist.part === 'body');
  const text = whole ? whole.text : textOf(body, twists);
  const newStatus = twists.find((twist) => twist.part === 'status')?.status ?? status;
  const fields = new Map(Object.entries({ 'content-type': 'application/json', ...headers }));
  const origin = `http://127.0.0.1:${socket.localPort}`;
  for (const twist of twists)
    if (twist.part === 'header') fields.set(twist.name, twist.value.replace('ORIGIN', origin));
  if (twists.length === 0) return void response.writeHead(status, headers).end(text);
  // Node would throw for most of these responses, so they are written to the socket.
  const head = [...fields].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const length =
    fields.has('content-length') || fields.has('transfer-encoding')
      ? ''
      : `content-length: ${Buffer.byteLength(text)}\r\n`;
  socket.write(`HTTP/1.1 ${newStatus} X\r\n${head}${length}\r\n`, 'latin1');
  socket.end(text);
}

/** Returns a body as JSON text, with members and items that JSON.stringify would not write. */
function textOf(body: unknown, twists: Twist[]): string {
  const { data, total } = (body ?? {}) as { data?: unknown[]; total?: number };
  const members = twists.filter((twist) => twist.part === 'member');
  if (!Array.isArray(data)) return withMembers(body, members);
  const ofList = members.filter(({ name }) => name === 'data' || name === 'total');
  const ofItems = members.filter((twist) => !ofList.includes(twist));
  const items = data.map((item) => withMembers(item, ofItems));
  const others = twists.flatMap((twist) => (twist.part === 'item' ? [twist.text] : []));
  const list = new Map([
    ['data', `[${[...items, ...others].join()}]`],
    ['total', `${(total ?? 0) + others.length}`],
  ]);
  return membersText([...list], ofList);
}

type Member = Extract<Twist, { part: 'member' }>;

function withMembers(record: unknown, twists: Member[]): string {
  const members = Object.entries(record ?? {}).map(([name, value]): [string, string] => [
    name,
    JSON.stringify(value),
  ]);
  return membersText(members, twists);
}

function membersText(members: [string, string][], twists: Member[]): string {
  const kept = members.filter(
    ([name]) => !twists.some((twist) => twist.name === name && !twist.twice),
  );
  const all = [...kept, ...twists.map(({ name, text }): [string, string] => [name, text])];
  return `{${all.map(([name, text]) => `"${name}":${text}`).join()}}`;
}
