import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownExchange } from '../../http/exchange.ts';
import { evidenceTimes } from '../evidence-times.ts';
import type { Report } from '../report.ts';
import { roomFor } from '../room.ts';
import { inertJson } from '../text.ts';
import type { TracedExchange } from '../traced.ts';
import { exchangeName, httpExchange } from './exchange.ts';
import { type AllureResult, allureResult } from './result.ts';

/** The results of a run for Allure, by slug in the order of the report, and the files that they attach, by their names. */
export interface AllureResults {
  results: Map<string, AllureResult>;
  files: Map<string, string>;
}

/** Files with an exchange each that a run writes at most, besides those of the results. */
const EXCHANGES = 100;

/** Makes them. Pure. */
export function allureResults(report: Report, traced: TracedExchange[]): AllureResults {
  const shares = share(report, traced);
  const times = evidenceTimes(report, traced);
  const shown = roomFor();
  const began = Date.parse(report.start);
  const { origin } = new URL(report.target.baseUrl);
  const files = new Map<string, string>();
  const results = report.requirements.map((requirement, order) => {
    const { id: slug } = requirement;
    const inOrder = (shares.get(slug) ?? []).map(shown).sort((a, b) => a.id - b.id);
    const attachments = inOrder.map((exchange) => {
      // A file of its own for each result: Allure 3 shows an attachment only in the first that names it.
      const source = `${slug}-${exchange.id}-attachment.httpexchange`;
      files.set(source, inertJson(httpExchange(exchange, origin, began)));
      const attachment = { name: exchangeName(exchange), source, type: 'application/vnd.allure.http+json' };
      return { id: exchange.id, attachment };
    });
    const timing = { start: began + order, duration: times.get(slug) ?? 0 };
    return [slug, allureResult({ requirement, attachments, ...timing }, report)] as const;
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

/**
 * Shares the exchanges out, each to the requirement whose evidence is the smallest, those that did not pass first: most
 * requirements look at the same ones, and a file for each of them takes longer to write than the requests took to send.
 */
function share({ requirements }: Report, traced: TracedExchange[]): Map<string, ShownExchange[]> {
  const shares = new Map<string, ShownExchange[]>(requirements.map(({ id, exchanges }) => [id, exchanges.slice(0, 1)]));
  let left = EXCHANGES - [...shares.values()].flat().length;
  for (const { id, exchanges } of requirements) {
    const more = exchanges.slice(1, 1 + Math.max(0, left));
    left -= more.length;
    shares.get(id)?.push(...more);
  }
  const taken = new Set(requirements.flatMap(({ exchanges }) => exchanges.map(({ id }) => id)));
  const lookedAt = new Map(requirements.map(({ id }) => [id, [] as ShownExchange[]]));
  for (const { exchange, requirements: slugs } of traced) for (const slug of slugs) lookedAt.get(slug)?.push(exchange);
  const evidenceOf = ({ id }: { id: string }) => lookedAt.get(id) ?? [];
  const hasPassed = ({ outcome }: { outcome: string }) => Number(outcome === 'passed');
  const inTurn = requirements.toSorted(
    (a, b) => hasPassed(a) - hasPassed(b) || evidenceOf(a).length - evidenceOf(b).length,
  );
  for (const requirement of inTurn) {
    for (const exchange of evidenceOf(requirement).filter(({ id }) => !taken.has(id))) {
      if (left <= 0) return shares;
      left -= 1;
      taken.add(exchange.id);
      shares.get(requirement.id)?.push(exchange);
    }
  }
  return shares;
}
