import { describe, expect, test } from 'vitest';
import { TODAY } from '../../tests/listed.ts';
import { editKnownFailures, type Format, hasAlias } from './edit-known-failures.ts';
import { parseKnownFailures } from './known-failures.ts';

const NEW = { slug: 'x.new', reason: 'TODO: why?', seen: 'expected "a", got #b' };

function edit(text: string, removed: string[], added: string[] = [], format: Format = 'yaml') {
  const entries = added.map((slug) => ({ ...NEW, slug }));
  const edited = editKnownFailures(text, { removed: new Set(removed), added: entries }, format);
  // The edited file is valid: it has the other entries unchanged, then the new ones.
  const before = parseKnownFailures(text, 'known.yml', TODAY).map(({ line, ...entry }) => entry);
  const after = parseKnownFailures(edited, 'known.yml', TODAY).map(({ line, ...entry }) => entry);
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

  test('keeps its indentation and line ends, and does not end with a blank line', () => {
    const text = '  - slug: a.b\r\n    reason: x\r\n\r\n  - slug: c.d\r\n    reason: y';
    expect(edit(text, ['c.d'])).toBe('  - slug: a.b\r\n    reason: x\r\n');
    expect(edit(text, ['a.b'], ['x.new'])).toBe(
      '  - slug: c.d\r\n    reason: y\r\n  - slug: x.new\r\n    # expected "a", got #b\r\n    reason: "TODO: why?"\r\n',
    );
  });

  test('keeps blank lines that belong to a reason', () => {
    const kept = '- slug: a.b\n  reason: |+\n    x\n\n';
    expect(edit(`${kept}- slug: c.d\n  reason: y\n`, ['c.d'])).toBe(kept);
  });
});

describe('a list in brackets', () => {
  const json =
    '[\n  { "slug": "a.b",\n    "reason": "x" },\n  { "slug": "c.d", "reason": "y" }\n]\n';
  const newEntry = ',\n  {\n    "slug": "x.new",\n    "reason": "TODO: why?"\n  }';

  test.each([
    [['a.b'], [], '[\n  { "slug": "c.d", "reason": "y" }\n]\n'],
    [['c.d'], [], '[\n  { "slug": "a.b",\n    "reason": "x" }\n]\n'],
    [['a.b', 'c.d'], [], '[]\n'],
    [[], ['x.new'], json.replace('\n]', `${newEntry}\n]`)],
    [['a.b', 'c.d'], ['x.new'], `[${newEntry.slice(1)}\n]\n`],
  ])('without %j and with %j', (removed, added, expected) => {
    const edited = edit(json, removed, added, 'json');
    expect(edited).toBe(expected);
    expect(() => JSON.parse(edited)).not.toThrow();
  });

  test('on one line stays on one line', () => {
    expect(edit('[{"slug":"a.b","reason":"x"}]', [], ['x.new'], 'json')).toBe(
      '[{"slug":"a.b","reason":"x"},{ "slug": "x.new", "reason": "TODO: why?" }]',
    );
    expect(edit('[{slug: a.b, reason: x}, {slug: c.d, reason: y},] # end', ['c.d'])).toBe(
      '[{slug: a.b, reason: x},] # end',
    );
  });

  test('is created if there is none', () => {
    const list = '[\n  {\n    "slug": "x.new",\n    "reason": "TODO: why?"\n  }\n]\n';
    expect(edit('', [], ['x.new'], 'json')).toBe(list);
    expect(edit('[]\n', [], ['x.new'], 'json')).toBe(list);
  });
});

test('hasAlias finds entries that refer to one another', () => {
  expect(hasAlias('- slug: a.b\n  reason: &why x\n- slug: c.d\n  reason: *why\n')).toBe(true);
  expect(hasAlias('- slug: a.b\n  reason: "*why &x"\n')).toBe(false);
});
