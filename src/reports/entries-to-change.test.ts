import { expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { listed } from '../../tests/listed.ts';
import { madeReport } from '../../tests/made-report.ts';
import { annotations, markdown } from './summary.ts';
import { closing } from './terminal.ts';

test('entries to change stand in the terminal, the summary, the annotations and the report, where nothing in them is more than text', () => {
  const knownFailures = [
    listed('a.b', { file: 'our,known.yml', line: 7 }),
    listed('`<b>`\u001b[2J\n::error::x', { line: 9 }),
    listed('c.d', { link: 'https://t.example/1?a=<b>)' }),
  ];
  const rows = [
    { slug: 'a.b' },
    { slug: 'c.d', outcome: 'known-failure' as const, link: knownFailures[2]?.link ?? '' },
  ];
  const report = madeReport(rows, { knownFailures });
  expect(schemaError('report', report, 'report')).toBeUndefined();
  expect(report.knownFailures.listed[0]).toEqual({ slug: 'a.b', reason: 'why' });
  expect(annotations(report)).toEqual([
    '::error file=our%2Cknown.yml,line=7,title=Known failure a.b::a.b passes now: remove this entry',
    expect.stringMatching(
      /^::error file=known.yml,line=9,title=Known failure `<b>`\\u001b\[2J%0A.*names no requirement/,
    ),
  ]);
  const terminal = closing(report, 'reports', { paint: (_, text) => text, width: 200 });
  expect(terminal).toContain('\nour,known.yml:7: a.b passes now: remove this entry\n');
  expect(terminal).toContain('\n    https://t.example/1?a=<b>)\n');
  expect(terminal).not.toMatch(/^::error/m);
  for (const text of [terminal, markdown(report), ...annotations(report)])
    expect(text).not.toContain('\u001b');
  expect(markdown(report)).toContain(
    '```text\nour,known.yml:7: a.b passes now: remove this entry\nknown.yml:9: `<b>`',
  );
});
