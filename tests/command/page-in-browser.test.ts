import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe, { type Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/reports/report.ts';
import { selectedRequirements } from '../../src/reports/selection.ts';
import { installedChromium, type OpenedFile, openBrowser, openFile } from '../browser.ts';
import { manyFindings, NASTY } from '../services/many-findings.ts';
import { judgeHere } from './judge-here.ts';

/** Requirements with findings of every kind, but few requests: a browser is slow on long pages. */
const FEW = [
  'create.location',
  'authentication.wrong-key',
  'authentication.key-extended',
  'authentication.retrieve-needs-key',
  'versioning.*',
];

const KNOWN_FAILURES = `
- { slug: authentication.retrieve-needs-key, reason: next release }
- { slug: versioning.base-address, reason: stale }
`;

/** The rows of requirements that the filters hide and show. */
const ROWS = '.chapter > ul > li';

const chromium = installedChromium();
if (chromium === undefined)
  console.log('No Chromium is installed, so no test opens the page of a run in a browser.');

const openDetails = (page: Page) =>
  page.evaluate('document.querySelectorAll("details").forEach((row) => { row.open = true })');

/** Returns the number of requirements that the style of the page does not remove. */
const countDisplayed = (page: Page) =>
  page.evaluate<number>(`[...document.querySelectorAll(".requirement")]
    .filter((row) => getComputedStyle(row).display !== "none").length`);

/** Returns the class names of each visible row. */
const classesOfRows = (page: Page) =>
  page.evaluate<string[][]>(`[...document.querySelectorAll(${JSON.stringify(ROWS)})]
    .filter((row) => row.checkVisibility()).map((row) => [...row.classList])`);

/** Expects that axe, which must be loaded, reports no violation. */
async function expectAccessible(page: Page): Promise<void> {
  // Without this option, axe returns thousands of rules that passed.
  const check = 'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)';
  const violations = await page.evaluate<Result[]>(check);
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

/** Expects that the page needs no horizontal scrolling. */
async function expectWidth(page: Page, width: number): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
}

describe.runIf(chromium !== undefined)('the page in a browser', () => {
  let folder: string;
  let browser: Browser;
  let fullFile: string;
  let fewFile: string;
  let fewReport: Report;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-page-'));
    fullFile = join(folder, 'full.html');
    fewFile = join(folder, 'few.html');
    const knownFailures = join(folder, 'known.yml');
    writeFileSync(knownFailures, KNOWN_FAILURES);
    const full = await judgeHere(manyFindings, { knownFailures });
    writeFileSync(fullFile, full.page);
    const few = await judgeHere(manyFindings, { knownFailures, only: FEW });
    writeFileSync(fewFile, few.page);
    fewReport = few.report;
    browser = await openBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('is accessible, as axe judges it:', () => {
    let opened: OpenedFile;

    beforeAll(async () => {
      opened = await openFile(browser, fullFile);
      await openDetails(opened.page);
      await opened.page.evaluate(axe.source);
    });

    afterAll(() => opened?.close());

    // Colours do not depend on the width, so two of the four combinations suffice.
    test.for([
      ['light', 1280],
      ['dark', 360],
    ] as const)('%s and %i wide', async ([colorScheme, width]) => {
      const { page, complaints } = opened;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page);
      await expectWidth(page, width);
      expect(complaints).toEqual([]);
    });
  });

  test('failed requirements are open and passed ones closed, so the page is short', async () => {
    const viewport = { width: 1280, height: 900 };
    const { page, close } = await openFile(browser, fullFile, { viewport });
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(6000);
    const failed = await page.locator('.requirement.failed').count();
    expect(await page.locator('.requirement.failed:visible').count()).toBe(failed);
    expect(await page.locator('.requirement.passed:visible').count()).toBe(0);
    expect(await page.locator('.exchange[open]').count()).toBe(0);
    await close();
  });

  test.for([
    [1280, 'light'],
    [400, 'dark'],
  ] as const)(
    'pictures have names and readable texts: %i wide, %s',
    async ([width, colorScheme]) => {
      const viewport = { width, height: 900 };
      const { page, complaints, close } = await openFile(browser, fullFile, {
        viewport,
        colorScheme,
      });
      for (const name of [/^Outcomes by chapter/, /^Response times by operation/])
        expect(await page.getByRole('img', { name }).isVisible()).toBe(true);
      // A readable text is at least 10 pixels high and inside its picture.
      const unreadable = await page.evaluate<string[]>(`[...document.querySelectorAll("svg text")]
      .filter((text) => {
        const box = text.getBoundingClientRect();
        const svg = text.ownerSVGElement.getBoundingClientRect();
        return box.height < 10 || box.left < svg.left - 1 || box.right > svg.right + 1;
      }).map((text) => text.textContent)`);
      expect(unreadable).toEqual([]);
      await expectWidth(page, width);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('an address with a slug opens a closed chapter', async () => {
    const { page, complaints, close } = await openFile(browser, fullFile);
    const hidden = page.locator('.requirement:not(:visible)');
    expect(await hidden.count()).toBeGreaterThan(0);
    const slug = await hidden.first().getAttribute('id');
    await page.evaluate(`location.hash = ${JSON.stringify(slug)}`);
    expect(await page.locator('.requirement:target').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  test('shows every selected requirement, and runs no script of the target', async () => {
    const { page, complaints, close } = await openFile(browser, fewFile);
    expect(await countDisplayed(page)).toBe(selectedRequirements(fewReport).length);
    await openDetails(page);
    const failed = fewReport.requirements.filter(({ outcome }) => outcome === 'failed');
    for (const { id, expected = '' } of failed) {
      const row = page.locator(`[id="${id}"]`);
      const [firstExpected = ''] = expected.split('; ');
      expect(await row.getByText(firstExpected).first().isVisible()).toBe(true);
      expect(await row.getByText('curl -sS').first().isVisible()).toBe(true);
    }
    expect(await page.getByText(NASTY).count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await close();
  });

  describe('filters by outcome and level', () => {
    test('show as many requirements as their labels say, by keyboard', async () => {
      const { page, complaints, close } = await openFile(browser, fullFile);
      await page.getByRole('radio', { name: 'all' }).first().focus();
      const group = page.getByRole('group', { name: 'Show outcomes' });
      const labels = (await group.locator('label').allTextContents()).map((text) => text.trim());
      expect(labels).toHaveLength(7);
      for (const label of labels.slice(1)) {
        await page.keyboard.press('ArrowDown');
        const [, count, words = ''] = /(\d+) (.*)/.exec(label) ?? [];
        const outcome = words.replace(/s$/, '').replace(' ', '-');
        const rows = await classesOfRows(page);
        expect(rows).toHaveLength(Number(count));
        for (const classes of rows) expect(classes).toContain(outcome);
        for (const level of ['MUST', 'SHOULD']) {
          await page.getByRole('radio', { name: level }).check();
          const ofLevel = rows.filter((classes) => classes.includes(level));
          expect(await classesOfRows(page)).toEqual(ofLevel);
          for (const chapter of await page.locator('.chapter:visible').all())
            expect(await chapter.locator('ul > li:visible').count()).toBeGreaterThan(0);
        }
        await page.getByRole('radio', { name: 'all' }).last().check();
        await page.getByRole('radio', { name: label }).focus();
      }
      expect(complaints).toEqual([]);
      await close();
    });

    test('never hide the requirement that the address names', async () => {
      const { page, close } = await openFile(browser, fullFile);
      const passed = page.locator('.chapter .requirement.passed');
      const id = await passed.last().getAttribute('id');
      await page.getByRole('radio', { name: 'not verified' }).check();
      expect(await page.locator('.chapter .requirement.passed:visible').count()).toBe(0);
      await page.evaluate(`location.hash = ${JSON.stringify(id)}`);
      expect(await page.locator('.chapter .requirement.passed:visible').count()).toBe(1);
      expect(await page.locator('.requirement:target').isVisible()).toBe(true);
      const top = await page.evaluate<number>(
        'document.querySelector(":target").getBoundingClientRect().top',
      );
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(page.viewportSize()?.height ?? 0);
      await close();
    });

    test('are accessible in a narrow window', async () => {
      const viewport = { width: 400, height: 900 };
      const { page, close } = await openFile(browser, fullFile, { viewport });
      await page.evaluate(axe.source);
      await page.getByRole('radio', { name: 'not verified' }).check();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
      await expectWidth(page, 400);
      await close();
    });

    test('have no effect in print or without the style', async () => {
      const { page, close } = await openFile(browser, fullFile);
      await page.getByRole('radio', { name: 'not verified' }).check();
      await openDetails(page);
      const all = await page.locator(ROWS).count();
      expect(await page.locator(`${ROWS}:visible`).count()).toBeLessThan(all);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator(`${ROWS}:visible`).count()).toBe(all);
      expect(await page.locator('.filters:visible').count()).toBe(0);
      await page.emulateMedia({ media: 'screen' });
      expect(await page.locator('.filters:visible').count()).toBe(1);
      await page.evaluate('document.querySelector("style").remove()');
      expect(await page.locator(`${ROWS}:visible`).count()).toBe(all);
      expect(await page.locator('.filters:visible').count()).toBe(0);
      await close();
    });
  });
});
