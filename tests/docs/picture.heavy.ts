import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge } from '../../src/api/judge.ts';
import { installedChromium, openBrowser, openFile } from '../browser.ts';
import { brokenBy } from '../services/named.ts';
import { start, withPeople } from '../services/service.ts';
import { inFolder } from '../shell.ts';
import { ROOT } from './text.ts';

test('the picture of the README is the top of a report.html (npm run picture makes it)', async () => {
  const service = await start(withPeople, brokenBy('total is a string'));
  await inFolder(async (reportDir) => {
    const { baseUrl, apiKey } = service;
    await judge({ baseUrl, apiKey, name: 'Users in Go', reportDir });
    const browser = await openBrowser(installedChromium() ?? '');
    const viewport = { width: 1280, height: 800 };
    const { page } = await openFile(browser, join(reportDir, 'report.html'), {
      viewport,
      colorScheme: 'light',
    });
    const picture = await page.screenshot({ path: join(ROOT, 'docs/report.png') });
    expect(picture.length).toBeLessThan(150_000);
    await browser.close();
  }).finally(service.close);
});
