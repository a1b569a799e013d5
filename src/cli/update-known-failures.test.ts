import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import { inFolder } from '../../tests/shell.ts';
import { makeUpdater, type Updater } from './update-known-failures.ts';

const KNOWN = '- slug: a.b\n  reason: x\n';
const FAILED = { slug: 'c.d', outcome: 'failed' as const, reason: 'expected a, got "b"' };

const resultOf = (rows: MadeRow[], faults: string[] = []) => ({
  report: madeReport(rows),
  traced: [],
  created: [],
  faults,
});

const KEY = 'k3y-4711';

/** Calls a function with the path of a file of known failures and its updater. */
function inFolderWith<T>(text: string, action: (path: string, updater: Updater) => T): Promise<T> {
  return inFolder(async (folder) => {
    const path = join(folder, 'known.yml');
    writeFileSync(path, text);
    return action(path, makeUpdater(path, 'known.yml', KEY));
  });
}

test.each([
  ['the run was interrupted', [{ slug: 'a.b' }], [], true],
  ['the suite itself failed', [{ slug: 'a.b' }], ['it broke'], false],
  [
    'the service could not be judged',
    [{ slug: 'c.d', outcome: 'not-verified' as const }],
    [],
    false,
  ],
])('a file stays unchanged because %s', async (reason, rows, faults, isInterrupted) => {
  await inFolderWith(KNOWN, (path, { update }) => {
    const updated = update(resultOf(rows, faults), isInterrupted);
    expect(updated).toEqual({ lines: [`known.yml: unchanged, because ${reason}`] });
    expect(readFileSync(path, 'utf8')).toBe(KNOWN);
  });
});

test('links whose names can be foreseen are neither followed nor removed', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'known.yml');
    const link = `${path}.${process.pid}.part`;
    writeFileSync(path, KNOWN);
    writeFileSync(join(folder, 'mine'), 'mine');
    symlinkSync('mine', link);
    makeUpdater(path, 'known.yml', KEY).update(resultOf([FAILED]), false);
    expect(readFileSync(link, 'utf8')).toBe('mine');
    expect(readFileSync(path, 'utf8')).toContain('- slug: c.d\n');
  });
});

test('edits during the run stay', async () => {
  await inFolderWith('', (path, { update, knownFailures: before }) => {
    expect(before).toEqual([]);
    writeFileSync(path, '- slug: c.d\n  reason: why not\n');
    const { lines, knownFailures } = update(resultOf([FAILED]), false);
    expect(lines).toEqual(['known.yml: 0 added, 0 removed, 1 kept']);
    expect(knownFailures).toMatchObject([{ slug: 'c.d', reason: 'why not' }]);
    writeFileSync(path, '- [');
    const broken = update(resultOf([FAILED]), false);
    expect(broken).toEqual({
      lines: [expect.stringContaining('known.yml: not updated: known.yml:1: ')],
    });
    expect(readFileSync(path, 'utf8')).toBe('- [');
  });
});

test('a file that became unwritable during the run is reported in one line', async () => {
  await inFolderWith('', (path, { update }) => {
    rmSync(path);
    mkdirSync(path);
    const { lines } = update(resultOf([FAILED]), false);
    expect(lines).toEqual([
      expect.stringMatching(/^known.yml: not updated: .* check CONFORMANCE_KNOWN_FAILURES\.$/),
    ]);
  });
});

test('a comment is one short sentence', async () => {
  const long = { ...FAILED, expected: 'a list '.repeat(50), got: 'x'.repeat(500) };
  await inFolderWith('', (path, { update }) => {
    update(resultOf([{ ...FAILED, expected: 'a', got: '"b"' }]), false);
    expect(readFileSync(path, 'utf8')).toContain('\n  # expected a, got "b"\n');
    writeFileSync(path, '');
    update(resultOf([long]), false);
    const [, comment = ''] = readFileSync(path, 'utf8').split('\n');
    expect(comment).toMatch(/^ {2}# expected a list .*…, got x+…$/);
    expect(comment.length).toBeLessThanOrEqual(150);
  });
});

test('a comment contains no line break of a response, and no key', async () => {
  const nasty = { ...FAILED, reason: 'expected a, got "b\n- slug: e.f\n\u2028\u0085x"' };
  const withKey = { ...FAILED, slug: 'g.h', reason: 'expected a, got "K3Y-4711"' };
  await inFolderWith(KNOWN, (path, { update }) => {
    const { knownFailures } = update(resultOf([nasty, withKey]), false);
    expect(knownFailures?.map(({ slug }) => slug)).toEqual(['c.d', 'g.h']);
    expect(readFileSync(path, 'utf8').toLowerCase()).not.toContain(KEY);
  });
});
