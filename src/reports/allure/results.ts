import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment } from 'allure-js-commons';
import { evidenceTimes } from '../evidence-times.ts';
import { exchangeText } from '../exchange-text.ts';
import type { Report } from '../report.ts';
import type { TracedExchange } from '../run-result.ts';
import { brief, inertLine } from '../text.ts';
import { type AllureResult, allureResult } from './result.ts';

/** The results of a run for Allure, by slug in the order of the report, and the files that they attach, by their names. */
export interface AllureResults {
  results: Map<string, AllureResult>;
  files: Map<string, string>;
}

/** Files with an exchange each that a run writes, about, besides those of the results. */
const EXCHANGES = 100;

/** Makes them. Pure. */
export function allureResults(report: Report, traced: TracedExchange[]): AllureResults {
  // What passed has none: `exchanges.har` has them all, and so many small files would take longer than the requests.
  const telling = report.requirements.filter(({ exchanges }) => exchanges.length > 0).length;
  const most = Math.max(1, Math.floor(EXCHANGES / telling));
  const times = evidenceTimes(report, traced);
  const began = Date.parse(report.start);
  const { origin } = new URL(report.target.baseUrl);
  const files = new Map<string, string>();
  const results = report.requirements.map((requirement, order) => {
    const { id: slug, exchanges } = requirement;
    const attachments = exchanges.slice(-most).map((exchange): Attachment => {
      // A file of its own for each result: Allure 3 shows an attachment only in the first that names it.
      const source = `${slug}-${exchange.id}-attachment.txt`;
      files.set(source, exchangeText(exchange, origin));
      return { name: inertLine(`#${exchange.id} ${brief(exchange)}`), source, type: 'text/plain' };
    });
    const timing = { start: began + order, duration: times.get(slug) ?? 0 };
    return [slug, allureResult(requirement, { attachments, ...timing }, report)] as const;
  });
  return { results: new Map(results), files };
}

/** Writes them into a folder: all of them, or none. Throws what the system says. */
export function writeAllure(all: AllureResults, directory: string): void {
  try {
    writeAttachments(all, directory);
    for (const result of all.results.values()) {
      const uuid = randomUUID();
      writeFileSync(join(directory, `${uuid}-result.json`), JSON.stringify({ uuid, ...result }));
    }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Writes what the results attach. Throws what the system says. */
export function writeAttachments({ files }: AllureResults, directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(directory, name), content);
}
