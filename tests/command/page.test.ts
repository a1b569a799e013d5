import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe, { type Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/reports/report.ts';
import { installedChromium, openBrowser, openFile } from '../browser.ts';
import { manyFindings, NASTY } from '../services/many-findings.ts';
import { judgeHere } from './judge-here.ts';

const SMALL = 300_000;

/** Requirements that have findings of every kind by few requests: a browser takes its time for each row of a page. */
const FEW = [
  'create.location',
  'authentication.wrong-key',
  'authentication.key-extended',
  'authentication.retrieve-needs-key',
  'versioning.*',
];
const KNOWN = `- slug: authentication.retrieve-needs-key
  reason: next release
- slug: versioning.base-address
  reason: stale
`;

test.concurrent('every run writes its page: small, and without the key', async () => {
  const { page, report, apiKey } = await judgeHere(() => {});
  expect(Buffer.byteLength(page)).toBeLessThan(SMALL);
  expect(page).toContain('✓ conformant');
  for (const { id, source } of report.requirements) {
    expect(page).toContain(`id="${id}"`);
    expect(page).toContain(source.text);
  }
  for (const name of Object.keys(report.observations)) expect(page).toContain(name);
  expect(page).not.toContain(apiKey);
});

test.concurrent('a page stays small where each answer has 3,000 headers', async () => {
  const { page, report } = await judgeHere((service) => {
    const { handle } = service;
    service.handle = async (request) => {
      const { headers, ...reply } = await handle(request);
      const many = Object.fromEntries(
        Array.from({ length: 3000 }, (_, index) => [`x-${index}`, '"<&>'.repeat(5)]),
      );
      return { ...reply, status: 500, headers: { ...headers, ...many } };
    };
  });
  expect(report.verdict).not.toBe('conformant');
  expect(Buffer.byteLength(page)).toBeLessThan(SMALL);
});

const program = installedChromium();
if (program === undefined)
  console.log('No Chromium is installed: the page of a run is not tried in a browser.');
else {
  describe('the page in a browser', () => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-page-'));
    const full = join(folder, 'full.html');
    const file = join(folder, 'few.html');
    let browser: Browser;
    let report: Report;

    beforeAll(async () => {
      const known = join(folder, 'known.yml');
      writeFileSync(known, KNOWN);
      writeFileSync(full, (await judgeHere(manyFindings, { knownFailures: known })).page);
      const run = await judgeHere(manyFindings, { knownFailures: known, only: FEW });
      report = run.report;
      writeFileSync(file, run.page);
      browser = await openBrowser(program);
    });

    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const shown = (page: Page) =>
      page.evaluate<number>(
        '[...document.querySelectorAll(".requirement")].filter((one) => getComputedStyle(one).display !== "none").length',
      );
    const openAll = 'document.querySelectorAll("details").forEach((one) => { one.open = true })';
    const reported = (outcome: string) =>
      report.requirements.filter((one) => one.outcome === outcome);

    describe('has no barrier that axe finds', () => {
      let opened: Awaited<ReturnType<typeof openFile>>;
      beforeAll(async () => {
        opened = await openFile(browser, full);
        await opened.page.evaluate(openAll);
        await opened.page.evaluate(axe.source);
      });
      afterAll(() => opened?.close());

      // Each of both and not both of each: no colour depends on the width.
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 360],
      ] as const) {
        test(`${colorScheme} and ${width} wide`, async () => {
          const { page, complaints } = opened;
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          // What holds is much more than what does not, and would all be handed over.
          const found =
            'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)';
          const violations: Result[] = await page.evaluate(found);
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          expect(complaints).toEqual([]);
        });
      }
    });

    test('a page with findings is read without much scrolling: what failed is open, what passed is closed', async () => {
      const { page, close } = await openFile(browser, full, {
        viewport: { width: 1280, height: 900 },
      });
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(6000);
      expect(await page.locator('.requirement.failed:visible').count()).toBe(
        await page.locator('.requirement.failed').count(),
      );
      expect(await page.locator('.requirement.passed:visible').count()).toBe(0);
      expect(await page.locator('.exchange[open]').count()).toBe(1);
      await close();
    });

    for (const [width, colorScheme] of [
      [1280, 'light'],
      [400, 'dark'],
    ] as const) {
      test(`has pictures with names, whose text is readable: ${width} wide, ${colorScheme}`, async () => {
        const { page, complaints, close } = await openFile(browser, full, {
          viewport: { width, height: 900 },
          colorScheme,
        });
        for (const name of [/^Outcomes by chapter/, /^Response times by operation/])
          expect(await page.getByRole('img', { name }).isVisible()).toBe(true);
        // Each text is inside its picture, and at least 10 pixels high.
        const wrong = await page.evaluate<string[]>(`[...document.querySelectorAll("svg text")]
          .filter((text) => {
            const own = text.getBoundingClientRect();
            const svg = text.ownerSVGElement.getBoundingClientRect();
            return own.height < 10 || own.left < svg.left - 1 || own.right > svg.right + 1;
          }).map((text) => text.textContent)`);
        expect(wrong).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(complaints).toEqual([]);
        await close();
      });
    }

    test('an address with a slug shows what a closed chapter hides', async () => {
      const { page, complaints, close } = await openFile(browser, full);
      const hidden = page.locator('.requirement:not(:visible)');
      expect(await hidden.count()).toBeGreaterThan(0);
      await page.evaluate(
        `location.hash = ${JSON.stringify(await hidden.first().getAttribute('id'))}`,
      );
      expect(await page.locator('.requirement:target').isVisible()).toBe(true);
      expect(complaints).toEqual([]);
      await close();
    });

    describe('has filters by outcome and level', () => {
      const inChapters = '.chapter > ul > li';
      const classesOf = (page: Page) =>
        page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(inChapters)})]
          .filter((row) => row.checkVisibility()).map((row) => row.className)`);

      test('that the keyboard moves: what is shown has the outcome and the level, and is as much as the label says', async () => {
        const { page, complaints, close } = await openFile(browser, full);
        await page.getByRole('radio', { name: 'all' }).first().focus();
        const group = page.getByRole('group', { name: 'Show outcomes' });
        const labels = (await group.locator('label').allTextContents()).map((text) => text.trim());
        expect(labels).toHaveLength(7);
        for (const label of labels.slice(1)) {
          await page.keyboard.press('ArrowDown');
          const [, count, words = ''] = /(\d+) (.*)/.exec(label) ?? [];
          const kind = words.replace(/s$/, '').replace(' ', '-');
          const rows = await classesOf(page);
          expect(rows).toHaveLength(Number(count));
          for (const row of rows) expect(row.split(' ')).toContain(kind);
          for (const level of ['MUST', 'SHOULD']) {
            await page.getByRole('radio', { name: level }).check();
            expect(await classesOf(page)).toEqual(
              rows.filter((row) => row.split(' ').includes(level)),
            );
            for (const chapter of await page.locator('.chapter:visible').all())
              expect(await chapter.locator('ul > li:visible').count()).toBeGreaterThan(0);
          }
          await page.getByRole('radio', { name: 'all' }).last().check();
          await page.getByRole('radio', { name: label }).focus();
        }
        expect(complaints).toEqual([]);
        await close();
      });

      test('that never hide what the address names', async () => {
        const { page, close } = await openFile(browser, full);
        const passed = page.locator('.chapter .requirement.passed');
        const id = await passed.last().getAttribute('id');
        await page.getByRole('radio', { name: 'not verified' }).check();
        expect(await page.locator('.chapter .requirement.passed:visible').count()).toBe(0);
        await page.evaluate(`location.hash = ${JSON.stringify(id)}`);
        expect(await page.locator('.chapter .requirement.passed:visible').count()).toBe(1);
        expect(await page.locator('.requirement:target').isVisible()).toBe(true);
        const { top } = await page.evaluate<{ top: number }>(
          'document.querySelector(":target").getBoundingClientRect()',
        );
        expect(top).toBeGreaterThanOrEqual(0);
        expect(top).toBeLessThan(page.viewportSize()?.height ?? 0);
        await close();
      });

      test('without a barrier, in a narrow window, and not in print or without the style', async () => {
        const { page, close } = await openFile(browser, full, {
          viewport: { width: 400, height: 900 },
        });
        await page.evaluate(axe.source);
        await page.getByRole('radio', { name: 'not verified' }).check();
        const found =
          'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)';
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const violations: Result[] = await page.evaluate(found);
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
        await page.evaluate(openAll);
        const all = await page.locator(inChapters).count();
        expect(await page.locator(`${inChapters}:visible`).count()).toBeLessThan(all);
        await page.emulateMedia({ media: 'print' });
        expect(await page.locator(`${inChapters}:visible`).count()).toBe(all);
        expect(await page.locator('.filters:visible').count()).toBe(0);
        await page.emulateMedia({ media: 'screen' });
        expect(await page.locator('.filters:visible').count()).toBe(1);
        await page.evaluate('document.querySelector("style").remove()');
        expect(await page.locator(`${inChapters}:visible`).count()).toBe(all);
        expect(await page.locator('.filters:visible').count()).toBe(0);
        await close();
      });
    });

    test('shows everything, and runs nothing of the target', async () => {
      const { page, complaints, close } = await openFile(browser, file);
      expect(await shown(page)).toBe(report.requirements.length);
      await page.evaluate(openAll);
      for (const { id, expected = '' } of reported('failed')) {
        const row = page.locator(`[id="${id}"]`);
        expect(
          await row
            .getByText(expected.split('; ')[0] ?? '')
            .first()
            .isVisible(),
        ).toBe(true);
        expect(await row.getByText('curl -sS').first().isVisible()).toBe(true);
      }
      expect(await page.getByText(NASTY).count()).toBeGreaterThan(0);
      expect(complaints).toEqual([]);
      await close();
    });
  });
}
