import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import { inFolder } from '../../tests/shell.ts';
import { type FileToUpdate, readForUpdate, updateKnownFailures } from './update-known-failures.ts';

const KNOWN = '- slug: a.b\n  reason: x\n';
const FAILED = { slug: 'c.d', outcome: 'failed' as const, reason: 'expected a, got "b"' };

const resultOf = (rows: MadeRow[], faults: string[] = []) => ({
  report: madeReport(rows),
  traced: [],
  created: [],
  faults,
});

function inFolderWith<T>(text: string, action: (file: FileToUpdate) => T): Promise<T> {
  return inFolder(async (folder) => {
    const path = join(folder, 'known.yml');
    writeFileSync(path, text);
    return action({ path, name: 'known.yml', key: 'k3y-4711' });
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
  await inFolderWith(KNOWN, (file) => {
    const update = updateKnownFailures(file, resultOf(rows, faults), isInterrupted);
    expect(update).toEqual({ lines: [`known.yml: unchanged, because ${reason}`] });
    expect(readFileSync(file.path, 'utf8')).toBe(KNOWN);
  });
});

test('edits during the run stay', async () => {
  await inFolderWith('', (file) => {
    expect(readForUpdate(file)).toEqual([]);
    writeFileSync(file.path, '- slug: c.d\n  reason: why not\n');
    const { lines, knownFailures } = updateKnownFailures(file, resultOf([FAILED]), false);
    expect(lines).toEqual(['known.yml: 0 added, 0 removed, 1 kept']);
    expect(knownFailures).toMatchObject([{ slug: 'c.d', reason: 'why not' }]);
    writeFileSync(file.path, '- [');
    const broken = updateKnownFailures(file, resultOf([FAILED]), false);
    expect(broken).toEqual({
      lines: [expect.stringContaining('known.yml: not updated: known.yml:1: ')],
    });
    expect(readFileSync(file.path, 'utf8')).toBe('- [');
  });
});

test('a file that became unwritable during the run is reported in one line', async () => {
  await inFolderWith('', (file) => {
    rmSync(file.path);
    mkdirSync(file.path);
    const { lines } = updateKnownFailures(file, resultOf([FAILED]), false);
    expect(lines).toEqual([
      expect.stringMatching(/^known.yml: not updated: .* check --update-known-failures\.$/),
    ]);
  });
});

test('a comment contains no line break of a response, and no key', async () => {
  const nasty = { ...FAILED, reason: 'expected a, got "b\n- slug: e.f\n\u2028\u0085x"' };
  const withKey = { ...FAILED, slug: 'g.h', reason: 'expected a, got "K3Y-4711"' };
  await inFolderWith(KNOWN, (file) => {
    const { knownFailures } = updateKnownFailures(file, resultOf([nasty, withKey]), false);
    expect(knownFailures?.map(({ slug }) => slug)).toEqual(['c.d', 'g.h']);
    expect(readFileSync(file.path, 'utf8').toLowerCase()).not.toContain(file.key);
  });
});
