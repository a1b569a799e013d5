import { expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { listed } from '../../tests/listed.ts';
import { madeReport } from '../../tests/made-report.ts';
import { annotations } from './github.ts';
import { plainScreen } from './screen.ts';
import { markdown } from './summary.ts';
import { closingText } from './terminal.ts';

test('known failures to update are in each report, where their text is never a command or markup', () => {
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
  const terminal = closingText(report, 'reports', plainScreen(200));
  expect(terminal).toContain('\nour,known.yml:7: a.b passes now: remove this entry\n');
  expect(terminal).toContain('\n    https://t.example/1?a=<b>)\n');
  expect(terminal).not.toMatch(/^::error/m);
  for (const text of [terminal, markdown(report), ...annotations(report)])
    expect(text).not.toContain('\u001b');
  expect(markdown(report)).toContain(
    '```text\nour,known.yml:7: a.b passes now: remove this entry\nknown.yml:9: `<b>`',
  );
});
