import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { topics as allTopics } from '../../specs/thorough/index.ts';
import type { Tries } from '../../src/conduct/conduct.ts';
import { judges } from '../../src/conduct/drawn.ts';
import { judgeThoroughly, tryHere } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { deepServices } from '../services/deep/index.ts';
import { startHere } from '../services/here.ts';
import { firstOf, isThorough, oneOf } from '../services/sample.ts';
import { type Patch, withPeople } from '../services/service.ts';

/** The requirement alone; where that does not show it, the whole run: the ways of the command. */
async function triedBothWays(alone: () => Promise<Tries>, whole: () => Promise<Tries>): Promise<Tries> {
  const tries = await alone();
  return tries.failed > 0 || tries.open !== undefined ? tries : whole();
}

describe.concurrent('a failure of the default run, tried again', () => {
  test.for(
    oneOf(
      16,
      firstOf(brokenServices, ({ slug }) => slug),
    ),
  )('$slug: $name', async ({ slug, patch, settings: own }) => {
    const service = await startHere(patch);
    // As in the run that found it: another one takes other variations.
    const settings = { choices: 'tests', ...own };
    const tries = await triedBothWays(
      () => tryHere(service, slug, settings, {}, { failed: 1 }),
      () => tryHere(service, slug, settings, { isWanted: () => true }, { tried: 1 }),
    ).finally(service.close);
    expect(tries, tries.open).toMatchObject({ failed: expect.any(Number), outcome: { slug, outcome: 'failed' } });
    expect(tries.failed).toBeGreaterThan(0);
  });

  test.for(oneOf(20, requirements))('$slug holds without the fault', async ({ slug }) => {
    const service = await startHere(withPeople);
    const tries = await tryHere(service, slug, {}, {}, { tried: 1 }).finally(service.close);
    expect(tries).toMatchObject({
      failed: 0,
      outcome: { outcome: expect.stringMatching(/^(passed|not-applicable)$/) },
    });
  });
});

/** Identifiers that begin with one another, that need percent-encoding, or that a shell or sed would carry out. */
const identifiers: Record<string, (count: number) => string> = {
  'identifiers that begin with one another': (count) => (count === 0 ? '13' : `${count % 2 ? 1 : 13}${count}`),
  'identifiers that need percent-encoding': (count) => `a b/ä?${count}#%`,
  'identifiers with quotes': (count) => `'"\\\`${count}`,
  'identifiers of sed and of a shell': (count) => `;e printf %s "$API_KEY">FILE #${count}$(touch FILE)a[$(touch FILE)]`,
};
const identified =
  (make: (count: number) => string): Patch =>
  (service) => {
    let count = -1;
    service.newId = () => {
      count += 1;
      return make(count);
    };
  };

/** Faults of which cases that are drawn tell, each alone. */
const faults: { slug: string; what: string; patch: Patch }[] = [
  {
    slug: 'authentication.key-in-other-header',
    what: 'the key in other headers',
    patch: (service) => {
      const { authorised, key } = service;
      service.authorised = (request) => authorised(request) || request.headers['x-vault-token'] === key;
    },
  },
  {
    slug: 'round-trip.other-strings',
    what: 'unusual strings',
    patch: (service) => {
      const { parse } = service;
      service.parse = (body) => {
        const parsed = parse(body);
        return 'error' in parsed ? parsed : { ...parsed, name: parsed.name.replaceAll('%2F', '/') };
      };
    },
  },
  {
    slug: 'create.object-required',
    what: 'bodies that are not objects',
    patch: (service) => {
      const { parse } = service;
      service.parse = (body) => (body === '1e3' ? { email: 'a@example.com', name: 'A B' } : parse(body));
    },
  },
];

describe.concurrent('a failure that drawn cases show, tried again by them', () => {
  const kinds = Object.entries(identifiers).map(([name, make]) => ({ name, make }));
  // Each kind of identifiers once, and each fault.
  const all = kinds.map((kind, index) => ({ ...kind, ...(faults[index % faults.length] as (typeof faults)[number]) }));
  test.for(oneOf(3, all))('$slug, $name', async ({ slug, what, patch, make }) => {
    const topics = allTopics.filter((one) => one.what === what);
    const [broken, again, right] = await Promise.all([
      startHere(withPeople, identified(make), patch),
      startHere(withPeople, identified(make), patch),
      startHere(withPeople, identified(make)),
    ]);
    const run = await judgeThoroughly(
      broken,
      1,
      { topics, maxRequests: 2000, maxUsers: 200 },
      {},
      { only: [slug] },
    ).finally(broken.close);
    const found = run.reproductions?.[slug];
    expect(found).toMatchObject({ seen: 3, tried: 3, topic: what, cases: [expect.anything()] });
    const requirement = requirements.find((one) => one.slug === slug);
    const [topic] = topics.filter((one) => requirement && judges(requirement, one));
    // As it comes from a file.
    const params = JSON.parse(JSON.stringify(found?.cases)) as unknown[];
    if (topic === undefined) throw new Error('no topic');
    expect(params.every(topic.params.has)).toBe(true);
    const sent = { again: { topic, params } };
    expect(await tryHere(again, slug, {}, sent).finally(again.close)).toMatchObject({ failed: 3, tried: 3 });
    expect(await tryHere(right, slug, {}, sent).finally(right.close)).toMatchObject({ failed: 0 });
  });
});

/** As deep as a run of some topics goes. */
const bounds = { budgetMs: 60_000, maxRequests: 3000, maxUsers: 300, pauseMs: 0 };

describe('a failure that needs all that a run has sent, tried again by the run from its seed', () => {
  const many = deepServices.filter(({ isMany, isRace }) => isMany && !isRace).slice(0, isThorough ? 2 : 1);
  test.for(many)('$slug: $name', async ({ slug, patch, topics: names }) => {
    const topics = allTopics.filter(({ what }) => names.includes(what));
    const only = requirements.filter((one) => one.slug === slug || topics.some((topic) => judges(one, topic)));
    const [broken, again, right] = await Promise.all([
      startHere((one) => patch(one, { count: 0 })),
      startHere((one) => patch(one, { count: 0 })),
      startHere(withPeople),
    ]);
    const slugs = only.map((one) => one.slug);
    const run = await judgeThoroughly(broken, 1, { topics, ...bounds }, {}, { only: slugs }).finally(broken.close);
    expect(run.slugs('failed')).toContain(slug);
    const how = {
      isWanted: (one: string) => slugs.includes(one),
      exploration: { topics, seed: 1, ...bounds, until: slug },
    };
    const once = { tried: 1 };
    expect(await tryHere(again, slug, {}, how, once).finally(again.close)).toMatchObject({ failed: 1 });
    expect(await tryHere(right, slug, {}, how, once).finally(right.close)).toMatchObject({ failed: 0, tried: 1 });
  });
});
