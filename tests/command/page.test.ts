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
