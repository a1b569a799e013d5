import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { answerBytes, header, identifier, jsonText, memberName, status } from './oddities.ts';
import type { Patch, Reply, Request } from './service.ts';

/** The answers of a service that a twist may change. */
export const ANSWERS = ['creation', 'list', 'user', 'refusal', 'nobody', 'invalid'] as const;
export type AnswerName = (typeof ANSWERS)[number];

/** One thing that is wrong or odd in the answers of a service. */
export type Twist =
  | { part: 'status'; status: number }
  | { part: 'header'; name: string; value: string }
  /** The body as a whole. */
  | { part: 'body'; text: string }
  /**
   * A member of the user's record, of every item of a list, or of a refusal: JSON text, in the place of its own or
   * besides.
   */
  | { part: 'member'; name: string; text: string; twice: boolean }
  /** An item of the list that is nobody's of ours. */
  | { part: 'item'; text: string }
  /** An answer on the wire. */
  | { part: 'bytes'; bytes: string }
  | { part: 'identifier'; text: string };

/** A twist of some answers: of each, or of every second or third. */
export interface Twisted {
  of: AnswerName;
  twist: Twist;
  every: number;
}

const twist: fc.Arbitrary<Twist> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ part: fc.constant('status' as const), status }) },
  { weight: 3, arbitrary: header.map((one) => ({ part: 'header' as const, ...one })) },
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

/** One to four twists of the answers of one service. */
export const twisted: fc.Arbitrary<Twisted[]> = fc.array(
  fc.record({ of: fc.constantFrom(...ANSWERS), twist, every: fc.integer({ min: 1, max: 3 }) }),
  { minLength: 1, maxLength: 4 },
);

/** Twists the answers of a service; the service itself goes on as it should. */
export function twistBy(twists: readonly Twisted[]): Patch {
  return (service) => {
    const counts = new Map<Twisted, number>();
    const due = (name: AnswerName) =>
      twists.filter((one) => {
        if (one.of !== name) return false;
        counts.set(one, (counts.get(one) ?? 0) + 1);
        return (counts.get(one) as number) % one.every === 0;
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
      write(
        response,
        reply,
        due(answerOf(reply, request)).map(({ twist }) => twist),
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
  // Node would refuse to send most of this.
  const head = [...fields].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const length =
    fields.has('content-length') || fields.has('transfer-encoding')
      ? ''
      : `content-length: ${Buffer.byteLength(text)}\r\n`;
  socket.write(`HTTP/1.1 ${newStatus} X\r\n${head}${length}\r\n`, 'latin1');
  socket.end(text);
}

/** A body as JSON text, with members and items in it that JSON.stringify would not write. */
function textOf(body: unknown, twists: Twist[]): string {
  const { data, total } = (body ?? {}) as { data?: unknown[]; total?: number };
  const ofTop = twists.filter((twist) => twist.part === 'member');
  if (!Array.isArray(data)) return withMembers(body, ofTop);
  const ofList = ofTop.filter(({ name }) => name === 'data' || name === 'total');
  const items = data.map((item) =>
    withMembers(
      item,
      ofTop.filter((twist) => !ofList.includes(twist)),
    ),
  );
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
