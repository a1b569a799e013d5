import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe, { type Result } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { compare } from '../../src/cli/made-runs.ts';
import { installedChromium, openBrowser, openFile } from '../browser.ts';
import { madeReport } from '../made-report.ts';

const UNKNOWN = 'old.<img src=x>';
const NAMES = ['Express', 'FastAPI', 'Spring', 'Gin', 'Phoenix with a longer name'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-comparison-'));
  for (const [at, name] of NAMES.entries()) {
    const rows = requirements.map(({ slug, level, chapter, sentence }, index) => ({
      ...{ slug, level, chapter, sentence },
      ...(index % 9 === at && {
        outcome: 'failed' as const,
        reason: 'r',
        expected: 'a 4xx status',
        got: '200 for GET',
      }),
    }));
    const report = madeReport(
      [...rows, ...(at === 0 ? [{ slug: UNKNOWN, outcome: 'failed' as const }] : [])],
      {
        target: { name, baseUrl: `http://127.0.0.1:${3000 + at}/v1`, embeddedReference: false },
        tally: {
          start: 0,
          tag: 'x',
          requests: 300,
          usersCreated: 40,
          observations: { 'create status': [`20${at % 2}`] },
        },
      },
    );
    mkdirSync(join(folder, `${at}`));
    writeFileSync(join(folder, `${at}`, 'conformance.json'), JSON.stringify(report));
    if (at === 1) writeFileSync(join(folder, `${at}`, 'report.html'), '');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const made = (name: string, ...numbers: number[]) => {
  const said = compare([
    ...numbers.map((one) => join(folder, `${one}`)),
    '--report-dir',
    join(folder, 'out'),
  ]);
  return { said, content: readFileSync(join(folder, 'out', name), 'utf8') };
};

test('two reports of different sets: what the second has changed, the unknown slug as text, and a link to the page', () => {
  const { said, content } = made('comparison.html', 0, 1);
  expect(said).toMatch(
    /From the first to the second: \d+ new failures, \d+ fixed, 1 no longer checked/,
  );
  expect(content).toContain('old.&lt;img src=x&gt;');
  expect(content).not.toContain('<img');
  expect(content).toContain('<a href="../1/report.html">report</a>');
  expect(JSON.parse(made('comparison.json', 0, 1).content).changes.unchecked).toEqual([UNKNOWN]);
});

const program = installedChromium();
if (program !== undefined)
  describe('the comparison of five in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser(program);
    });
    afterAll(() => browser?.close());

    test.each([
      ['light', 1280],
      ['dark', 400],
    ] as const)(
      '%s and %i wide: it fits, nothing scrolls within it, and axe finds no barrier',
      async (colorScheme, width) => {
        made('comparison.html', 0, 1, 2, 3, 4);
        const path = join(folder, 'out/comparison.html');
        const { page, complaints, close } = await openFile(browser, path, {
          colorScheme,
          viewport: { width, height: 900 },
        });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        const scrolling =
          '[...document.body.querySelectorAll("*")].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible").length';
        expect(await page.evaluate(scrolling)).toBe(0);
        await page.evaluate(
          'document.querySelectorAll("details").forEach((one) => { one.open = true })',
        );
        await page.evaluate(axe.source);
        const violations: Result[] = await page.evaluate(
          'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
        );
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        expect(complaints).toEqual([]);
        await close();
      },
    );
  });
