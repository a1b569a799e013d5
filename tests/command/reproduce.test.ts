import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { topics } from '../../specs/thorough/index.ts';
import type { ReportedRequirement } from '../../src/reports/report.ts';
import { scriptText } from '../../src/reports/script.ts';
import { judgeThoroughly } from '../run.ts';
import { type Patch, start, withPeople } from '../services/service.ts';
import { inFolder, run } from '../shell.ts';

/** A fault that needs depth, the kinds of cases that find it, and whether it takes many requests. */
const faults: { slug: string; kinds: string[]; patch: Patch; many?: boolean }[] = [
  {
    slug: 'authentication.key-in-other-header',
    kinds: ['other headers with the key'],
    patch: (broken) => {
      const { authorised, key } = broken;
      broken.authorised = (request) => authorised(request) || request.headers['x-vault-token'] === key;
    },
  },
  {
    slug: 'authentication.key-in-query',
    kinds: ['places of the key in the query'],
    patch: (broken) => {
      const { authorised, key } = broken;
      broken.authorised = (request) => authorised(request) || request.query.get('sig') === key;
    },
  },
  {
    slug: 'retrieve.pattern',
    kinds: ['identifiers that are patterns or queries'],
    patch: (broken) => {
      const { find } = broken;
      broken.find = (id) => (id === '%%' ? broken.users[0] : find(id));
    },
  },
  {
    slug: 'create.object-required',
    kinds: ['bodies that are no object'],
    patch: (broken) => {
      const { parse } = broken;
      broken.parse = (body) => (body === '1.5' ? { email: 'a@example.com', name: 'A B' } : parse(body));
    },
  },
  {
    slug: 'round-trip.other-strings',
    kinds: ['other strings'],
    patch: (broken) => {
      const { parse } = broken;
      broken.parse = (body) => {
        const parsed = parse(body);
        return 'error' in parsed ? parsed : { ...parsed, name: parsed.name.replace('%20', ' ').slice(0, 4500) };
      };
    },
  },
  {
    slug: 'retrieve.repeatable',
    many: true,
    kinds: ['plain users at the same time', 'known users again'],
    patch: (broken) => {
      broken.find = (id) => broken.users.slice(-45).find((user) => user.id === id);
    },
  },
  {
    slug: 'list.total-counts-creations',
    many: true,
    kinds: ['plain users at the same time'],
    patch: (broken) => {
      const { listed } = broken;
      broken.total = () => Math.min(broken.users.length, 120);
      broken.listed = () => listed().slice(0, 120);
    },
  },
];

describe.concurrent('the script of a failure', () => {
  test.for(faults)('$slug', async ({ slug, kinds, patch, many }) => {
    const broken = await start(withPeople, patch);
    const right = await start(withPeople);
    try {
      const explored = topics.filter(({ what }) => kinds.includes(what));
      const bounds = many ? { users: 150, requests: 1200 } : { users: 100, requests: 700 };
      const options = many ? {} : { only: [slug] };
      const judged = await judgeThoroughly(broken, 1, { topics: explored, ...bounds }, {}, options);
      expect(judged.slugs('failed')).toContain(slug);
      const script = judged.reproductions?.[slug]?.script;
      if (script === undefined) throw new Error('there is no script');
      const { sentence = '' } = requirements.find((one) => one.slug === slug) ?? {};
      const text = scriptText(script, { id: slug, sentence } as ReportedRequirement, broken.baseUrl);
      expect(text).not.toContain(broken.apiKey);
      await inFolder(async (folder) => {
        writeFileSync(join(folder, 'reproduce.sh'), text);
        const repeat = (BASE_URL: string) => run('sh', ['reproduce.sh'], { BASE_URL, API_KEY: broken.apiKey }, folder);
        const shown = await repeat(broken.baseUrl);
        expect(shown, shown.stderr).toMatchObject({ code: 1 });
        expect(shown.stdout).toContain('The fault shows');
        const notShown = await repeat(right.baseUrl);
        expect(notShown, notShown.stdout).toMatchObject({ code: 0 });
      });
    } finally {
      await Promise.all([broken.close(), right.close()]);
    }
  });
});

test('what fails alone is shown alone, and a string as short as it fails', async () => {
  const service = await start(withPeople, (broken) => {
    const { parse } = broken;
    broken.parse = (body) => {
      const parsed = parse(body);
      return 'error' in parsed ? parsed : { ...parsed, name: parsed.name.replaceAll('\t', ' ') };
    };
  });
  const explored = topics.filter(({ what }) => what === 'other strings');
  const run = await judgeThoroughly(service, 3, { topics: explored }).finally(service.close);
  expect(run.told('failed')[0]).toMatch(/\("\\t" \w+ the name\)/);
  expect(run.reproductions?.['round-trip.other-strings']?.seen).toBe('3 of 3 times when it was tried again alone');
});
