import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { listFiles, refuseForeignReports, removeReports, writeFiles } from './written-files.ts';

/** Writes reports into a folder. Returns the sentences on those that could not be written. */
const writeReports = (folder: string, names: readonly string[]): string[] =>
  writeFiles(folder, Object.fromEntries(names.map((name) => [name, 'of the suite'])));

const ALL = ['summary.md', 'allure-results/1-result.json', 'service.log'];

test('a later run replaces the reports of an earlier one', async () => {
  await inFolder(async (folder) => {
    for (let run = 0; run < 2; run += 1) {
      refuseForeignReports(folder);
      expect(removeReports(folder, false)).toEqual([]);
      expect(readdirSync(folder)).toEqual([]);
      writeReports(folder, ALL);
    }
    removeReports(folder, true);
    expect(readdirSync(folder).sort()).toEqual(['.conformance-files', 'service.log']);
  });
});

test('reports of a run that was killed are its own', async () => {
  await inFolder(async (folder) => {
    listFiles(folder, ['junit.xml', 'badge.json']);
    writeFileSync(join(folder, 'junit.xml'), 'of the suite');
    refuseForeignReports(folder);
    removeReports(folder, false);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.each([
  'summary.md',
  'junit.xml',
  'conformance.json',
  'service.log',
  'created-users.json',
  'allure-results',
])('a file %s of the user is refused and stays', async (name) => {
  await inFolder(async (folder) => {
    const path = join(folder, name);
    writeFileSync(path, 'mine');
    expect(() => refuseForeignReports(folder)).toThrow(
      new RegExp(`${name} is not from a run of this suite, or was changed since: move it`),
    );
    removeReports(folder, false);
    expect(writeReports(folder, [name])).toEqual([
      `${name} could not be written (it exists already)`,
    ]);
    expect(() => refuseForeignReports(folder)).toThrow('is not from a run');
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});

test('a report that the user has changed or replaced by a link is refused and stays', async () => {
  await inFolder(async (folder) => {
    writeReports(folder, ['summary.md', 'junit.xml']);
    writeFileSync(join(folder, 'junit.xml'), 'mine');
    expect(() => refuseForeignReports(folder)).toThrow('junit.xml is not from a run');
    removeReports(folder, false);
    expect(readdirSync(folder).sort()).toEqual(['.conformance-files', 'junit.xml']);
  });
  await inFolder(async (folder) => {
    writeReports(folder, ALL);
    writeFileSync(join(folder, 'mine'), 'of the suite');
    removeReports(folder, false);
    listFiles(folder, ['summary.md']);
    symlinkSync('mine', join(folder, 'summary.md'));
    expect(() => refuseForeignReports(folder)).toThrow('summary.md is not from a run');
  });
});

test('results of other tests for Allure stay', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'allure-results'));
    writeFileSync(join(folder, 'allure-results/mine.json'), 'mine');
    refuseForeignReports(folder);
    writeReports(folder, ALL);
    removeReports(folder, false);
    expect(readdirSync(join(folder, 'allure-results'))).toEqual(['mine.json']);
  });
});

test('a list of somebody else removes no other file', async () => {
  await inFolder(async (folder) => {
    const reports = join(folder, 'reports');
    mkdirSync(join(folder, 'elsewhere'));
    mkdirSync(reports);
    symlinkSync('../elsewhere', join(reports, 'allure-results'));
    const files = ['mine', 'reports/mine', 'elsewhere/mine'];
    for (const path of files) writeFileSync(join(folder, path), 'mine');
    const names = ['../mine', 'mine', 'allure-results/mine', 'allure-results/../mine'];
    const lines = names.map((name) => `-  ${name}\n`);
    writeFileSync(join(reports, '.conformance-files'), lines.join(''));
    removeReports(reports, false);
    for (const path of files) expect(readFileSync(join(folder, path), 'utf8')).toBe('mine');
  });
});
