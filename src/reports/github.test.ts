import { expect, test } from 'vitest';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import { annotations } from './github.ts';

test('each root has one annotation, with the number of its dependents', () => {
  const rows: MadeRow[] = [
    { slug: 'a.root', outcome: 'failed', reason: 'expected x, got y' },
    { slug: 'a.needs', outcome: 'not-verified', reason: 'needs: a.root', needs: 'a.root' },
    { slug: 'a.needs-too', outcome: 'not-verified', reason: 'needs: a.root', needs: 'a.root' },
    { slug: 'a.should', level: 'SHOULD', outcome: 'failed', reason: 'expected z, got y' },
  ];
  expect(annotations(madeReport(rows))).toEqual([
    '::error title=MUST a.root::It holds. expected x, got y; 2 not verified: they depend on a.root',
    '::warning title=SHOULD a.should::It holds. expected z, got y',
  ]);
});

test('a service that does not respond is one annotation', () => {
  const gone = { outcome: 'not-verified', reason: 'connection refused' } as const;
  const lines = annotations(
    madeReport([
      { slug: 'a.one', ...gone },
      { slug: 'a.two', ...gone },
    ]),
  );
  expect(lines).toEqual([
    expect.stringMatching(
      /^::error title=Conformance%3A inconclusive::2 requirements could not be verified: connection refused\.$/,
    ),
  ]);
});
