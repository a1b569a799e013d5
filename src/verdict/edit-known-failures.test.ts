import { describe, expect, test } from 'vitest';
import { TODAY } from '../../tests/listed.ts';
import { editKnownFailures } from './edit-known-failures.ts';
import { hasAlias, parseKnownFailures } from './known-failures.ts';

const NEW = { slug: 'x.new', reason: 'TODO: why?', seen: 'expected "a", got #b' };

function edit(text: string, removed: string[], added: string[] = [], isJson = false) {
  const parse = (content: string) =>
    parseKnownFailures(content, 'known.yml', TODAY).map(({ line, ...entry }) => entry);
  const before = parse(text);
  const slugs = before.map(({ slug }) => slug);
  const changes = { removed: new Set(removed), added: added.map((slug) => ({ ...NEW, slug })) };
  const edited = editKnownFailures(text, slugs, changes, isJson) ?? 'not edited';
  // The edited file is valid: it has the other entries unchanged, then the new ones.
  const after = parse(edited);
  expect(after.filter(({ slug }) => !added.includes(slug))).toEqual(
    before.filter(({ slug }) => !removed.includes(slug)),
  );
  expect(after.map(({ slug }) => slug).slice(after.length - added.length)).toEqual(added);
  return edited;
}

const YAML = `# Accepted by the users team

- slug: a.b   # the oldest
  reason: 'in single quotes'
  expires: 2099-01-01
  # behind a.b

# --- creations ---

# of c.d
- slug: c.d
  reason: >-
    a long reason
    in two lines

- { slug: e.f, reason: "in braces" } # of e.f
-
    reason: indented
    slug: g.h
# the end
`;

describe('a block of YAML', () => {
  test.each([
    [['a.b'], YAML.replace(/- slug: a\.b.*behind a\.b\n\n/s, '')],
    [['c.d'], YAML.replace(/# of c\.d.*two lines\n\n/s, '')],
    [['e.f'], YAML.replace(/- \{.*\n/, '')],
    [['g.h'], YAML.replace(/\n-\n.*g\.h\n/s, '\n')],
    [['c.d', 'e.f', 'g.h'], YAML.replace(/# of c\.d.*g\.h\n/s, '')],
    [
      ['a.b', 'c.d', 'e.f', 'g.h'],
      '# Accepted by the users team\n\n# --- creations ---\n\n# the end\n',
    ],
  ])('without %j keeps all other text', (removed, expected) => {
    expect(edit(YAML, removed)).toBe(expected);
  });

  test('has new entries after the last one', () => {
    const entry = '- slug: x.new\n  # expected "a", got #b\n  reason: "TODO: why?"\n';
    expect(edit(YAML, ['e.f'], ['x.new'])).toBe(
      YAML.replace(/- \{.*\n/, '').replace('# the end\n', () => `${entry}# the end\n`),
    );
    expect(edit('', [], ['x.new'])).toBe(entry);
    expect(edit('# none yet', [], ['x.new'])).toBe(`# none yet\n${entry}`);
    expect(edit('[]\n', [], ['x.new'])).toBe(entry);
  });

  test.each(['null\n', '~', '...\n', '--- \n', '%YAML 1.2\n---\n', '[ ]', '# none\n[]\n'])(
    'without an entry is replaced: %j',
    (text) => {
      expect(edit(text, [], ['x.new'])).toMatch(/^(# none\n)?- slug: x\.new\n/);
    },
  );

  test('keeps its indentation and line ends', () => {
    const text = '  - slug: a.b\r\n    reason: x\r\n\r\n  - slug: c.d\r\n    reason: y';
    expect(edit(text, ['c.d'])).toBe('  - slug: a.b\r\n    reason: x\r\n\r\n');
    expect(edit(text, ['a.b'], ['x.new'])).toBe(
      '  - slug: c.d\r\n    reason: y\r\n  - slug: x.new\r\n    # expected "a", got #b\r\n    reason: "TODO: why?"\r\n',
    );
  });

  test('keeps blank lines that belong to a reason', () => {
    const kept = '- slug: a.b\n  reason: |+\n    x\n\n';
    expect(edit(`${kept}- slug: c.d\n  reason: y\n`, ['c.d'])).toBe(kept);
  });
});

describe('a list in JSON', () => {
  const json =
    '[\n\t{\n\t\t"slug": "a.b",\n\t\t"reason": "x"\n\t},\n\t{\n\t\t"slug": "c.d",\n\t\t"reason": "y"\n\t}\n]\n';
  const listOf = (...entries: [slug: string, reason: string][]) =>
    `${JSON.stringify(
      entries.map(([slug, reason]) => ({ slug, reason })),
      null,
      '\t',
    )}\n`;

  test.each([
    [['a.b'], [], listOf(['c.d', 'y'])],
    [['c.d'], [], listOf(['a.b', 'x'])],
    [['a.b', 'c.d'], [], '[]\n'],
    [[], ['x.new'], listOf(['a.b', 'x'], ['c.d', 'y'], ['x.new', NEW.reason])],
    [['a.b', 'c.d'], ['x.new'], listOf(['x.new', NEW.reason])],
  ])('without %j and with %j keeps its indentation', (removed, added, expected) => {
    expect(edit(json, removed, added, true)).toBe(expected);
    expect(edit(json.replaceAll('\n', '\r\n'), removed, added)).toBe(
      expected.replaceAll('\n', '\r\n'),
    );
  });

  test('on one line stays on one line', () => {
    expect(edit('[{"slug":"a.b","reason":"x"}]', [], ['x.new'], true)).toBe(
      '[{"slug":"a.b","reason":"x"},{"slug":"x.new","reason":"TODO: why?"}]',
    );
  });

  test('is created if there is none', () => {
    const list = '[\n  {\n    "slug": "x.new",\n    "reason": "TODO: why?"\n  }\n]\n';
    expect(edit('', [], ['x.new'], true)).toBe(list);
    expect(edit('[]\n', [], ['x.new'], true)).toBe(list);
  });
});

test('a list in brackets that is no JSON is not edited', () => {
  const text = '[{slug: a.b, reason: x}]';
  const changes = { removed: new Set(['a.b']), added: [] };
  expect(editKnownFailures(text, ['a.b'], changes, false)).toBe(undefined);
});

test('hasAlias finds entries that refer to one another', () => {
  expect(hasAlias('- slug: a.b\n  reason: &why x\n- slug: c.d\n  reason: *why\n')).toBe(true);
  expect(hasAlias('- slug: a.b\n  reason: "*why &x"\n')).toBe(false);
});
