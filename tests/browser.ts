import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/**
 * Returns the path of an installed Chromium; undefined if there is none. Tests never download one.
 */
export function installedChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a browser without a window. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
}

/** A file that is open in a browser. */
export interface OpenedFile {
  page: Page;
  /** Console messages, errors, dialogs and the addresses of further requests. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Opens a file as a user does. */
export async function openFile(
  browser: Browser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedFile> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => {
    if (request.url() !== `file://${path}`) complaints.push(request.url());
  });
  await page.goto(`file://${path}`);
  return { page, complaints, close: () => context.close() };
}
