import { expect, test } from 'vitest';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import { badge } from './badge.ts';
import { LEFT_OUT } from './selection.ts';

const settings = { strict: false, readOnly: false };
const passed: MadeRow = { slug: 'a.passed' };
const failed: MadeRow = { slug: 'a.failed', outcome: 'failed' };
const warned: MadeRow = { slug: 'a.warned', outcome: 'failed', level: 'SHOULD' };
const known: MadeRow = { slug: 'a.known', outcome: 'known-failure' };
const open: MadeRow = { slug: 'a.open', outcome: 'not-verified' };
const leftOut: MadeRow = { slug: 'a.left', outcome: 'not-applicable', reason: LEFT_OUT };
const notApplicable: MadeRow = { slug: 'a.freed', outcome: 'not-applicable' };

test.each<[MadeRow[], typeof settings, string, string]>([
  [[passed, notApplicable], settings, 'conformant, 1/1 MUST', 'green'],
  [[passed, warned], settings, 'conformant, 1/1 MUST', 'green'],
  [
    [passed, warned],
    { ...settings, strict: true },
    'non-conformant (strict), 1/1 MUST, 0/1 SHOULD, failed: a.warned',
    'red',
  ],
  [[passed, failed], settings, 'non-conformant, 1/2 MUST, failed: a.failed', 'red'],
  [
    ['a', 'b', 'c', 'd'].map((slug) => ({ ...failed, slug })),
    settings,
    'non-conformant, 0/4 MUST, failed: a, b and 2 more',
    'red',
  ],
  [[passed, known], settings, 'conformant, with 1 known failure, 1/2 MUST', 'yellow'],
  [[passed, open], settings, 'inconclusive, 1/2 MUST', 'lightgrey'],
  [
    [passed, { ...open, reason: 'the run was interrupted' }],
    settings,
    'inconclusive (interrupted), 1/2 MUST',
    'lightgrey',
  ],
  [
    [passed, { ...open, reason: 'the deadline of the run has passed' }],
    settings,
    'inconclusive (deadline passed), 1/2 MUST',
    'lightgrey',
  ],
  [[], settings, 'inconclusive, 0/0 MUST', 'lightgrey'],
  [
    [passed, notApplicable],
    { ...settings, readOnly: true },
    'read-only: 1 MUST passed',
    'lightgrey',
  ],
  [[{ ...passed, level: 'SHOULD' }, leftOut], settings, 'partial: 1 SHOULD passed', 'lightgrey'],
  [
    [passed, { ...passed, slug: 'a.should', level: 'SHOULD' }, known, leftOut],
    settings,
    'partial: 1 MUST and 1 SHOULD passed, 1 known failure',
    'lightgrey',
  ],
  [[passed, failed, leftOut], settings, 'partial: 1 MUST passed, failed: a.failed', 'red'],
  [[open, leftOut], settings, 'partial: nothing passed, inconclusive', 'lightgrey'],
])('the badge of %o, %o: %s', (rows, settings, message, color) => {
  const label = 'User Management conformance';
  expect(badge(madeReport(rows, settings))).toEqual({ schemaVersion: 1, label, message, color });
});
