import { describe, expect, test } from 'vitest';
import { PLAIN_KINDS } from '../../specs/plain-users.ts';
import type { ShownExchange } from '../../src/http/exchange.ts';
import { inDigits, userFactory } from '../../src/run/users.ts';
import { type JudgedRun, judgeAll, judgeKept } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { startHere } from '../services/here.ts';
import type { Patch } from '../services/service.ts';
import { variants } from '../services/variants/index.ts';

interface NamedService {
  /** The requirement that it fails, or the choice that it makes. */
  kind: string;
  name: string;
  patch: Patch;
  settings?: object;
}

/** Services whose outcome depends on which of two requests is first, with the reason. */
const RACES = new Map<string, string>();

/** `npm run test:stable`: 40 services, ten times each; otherwise a few of them, three times. */
const isWhole = process.env.STABLE === '1';
const SERVICES = isWhole ? 40 : 6;
const RUNS = isWhole ? 10 : 3;

/** As many services as wanted, evenly spread over all slugs and choices; always the same ones. */
function spread(all: readonly NamedService[], count: number): NamedService[] {
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const first = kinds.map((kind) => all.find((service) => service.kind === kind) as NamedService);
  const usable = first.filter(({ name }) => !RACES.has(name));
  return Array.from({ length: count }, (_, place) => {
    return usable[Math.floor((place * usable.length) / count)] as NamedService;
  });
}

const broken = brokenServices.map((service) => ({ ...service, kind: service.slug }));
const conforming = variants.map((service) => ({ ...service, kind: service.choice }));
const chosen = [
  ...spread(broken, (SERVICES * 2) / 3),
  ...spread(conforming, SERVICES - Math.floor((SERVICES * 2) / 3)),
];

async function outcomesOf({ patch, settings }: NamedService): Promise<string[]> {
  const service = await startHere(patch);
  const run = await judgeKept(service, settings).finally(service.close);
  return run.outcomes.map(({ slug, outcome }) => `${slug}: ${outcome}`);
}

describe.concurrent(`a service has the same outcomes each time it is judged, ${RUNS} times`, () => {
  test.for(chosen)('$kind: $name', { timeout: 900_000 }, async (service) => {
    const first = await outcomesOf(service);
    for (let times = 1; times < RUNS; times += 1) {
      expect(await outcomesOf(service), `judged ${times + 1} times`).toEqual(first);
    }
  });
});

test('two runs send the same requests, apart from what is drawn once for a run', async () => {
  const sent = async () => {
    const service = await startHere(fixedIdentifiers);
    const run = await judgeAll(service).finally(service.close);
    return requestsOf(run, service.apiKey.length);
  };
  const first = await sent();
  const second = await sent();
  expect(first.length).toBeGreaterThan(100);
  expect(second.filter((request) => !first.includes(request))).toEqual([]);
  expect(second).toEqual(first);
});

/** Identifiers that are the same for each run: a run puts them into paths. */
const fixedIdentifiers: Patch = (service) => {
  let made = 0;
  service.newId = () => {
    made += 1;
    return `00000000-0000-4000-8000-${`${made}`.padStart(12, '0')}`;
  };
  service.users.push({ id: service.newId(), email: 'ada@example.org', name: 'Ada Lovelace' });
};

/** The requests of a run without what is drawn for it, sorted: some are sent at the same time. */
function requestsOf({ record, tally }: JudgedRun, keyLength: number): string[] {
  const wrongKey = new RegExp(`(?<=Bearer )[^<>" ]{${keyLength}}(?=")`);
  const ofRun = new RegExp(partsOf(tally.tag).join('|'), 'gi');
  const textOf = ({ request }: ShownExchange) => {
    const { method, path, headers, body = '', framing = 'whole' } = request;
    const { 'user-agent': _, ...others } = lowerCase(headers);
    // It is a hash of the body.
    if (others['idempotency-key']) others['idempotency-key'] = 'of the body';
    const text = [method, path, JSON.stringify(others), framing, unescaped(body)].join(' ');
    return text.replace(wrongKey, 'WRONG').replaceAll(ofRun, 'OWN');
  };
  return record.map(textOf).sort();
}

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The tag of a run, its digits, and the letters that are made of these. */
function partsOf(tag: string): string[] {
  const parts = [tag, inDigits(tag)];
  const name = PLAIN_KINDS[0]?.user.name;
  userFactory('example.com', tag).make({
    name: (own, other) => {
      const short = name?.(own, other) ?? '';
      parts.push(short.slice('D '.length));
      return short;
    },
  });
  return parts;
}

const unescaped = (body: string): string =>
  body.replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
