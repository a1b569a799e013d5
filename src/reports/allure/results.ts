import { join } from 'node:path';
import type { Exchange } from '../../http/exchange.ts';
import type { Outcome } from '../../requirement/outcome.ts';
import type { Report } from '../report.ts';
import { roomFor } from '../room.ts';
import { type AllureResult, completeAllureResult, type JudgedTest } from './result.ts';

/** Files with an exchange each that a run writes at most, besides those of the results. */
const EXCHANGES = 100;

/** Completes the results that allure-vitest makes of a run's tests. */
export class AllureResults {
  readonly directory: string;
  #report: Report | undefined;
  readonly #judged = new Map<string, JudgedTest>();

  constructor(reportDir: string) {
    this.directory = join(reportDir, 'allure-results');
  }

  /** Says what the results are to be completed with. */
  prepare(report: Report, outcomes: readonly Outcome[], record: readonly Exchange[]): void {
    this.#report = report;
    this.#judged.clear();
    const shares = share(outcomes, record);
    const shown = roomFor();
    const start = Date.parse(report.start);
    for (const [order, requirement] of report.requirements.entries()) {
      const known = report.knownFailures.listed.find(({ slug }) => slug === requirement.id)?.reason;
      const attached = (shares.get(requirement.id) ?? []).map(shown);
      this.#judged.set(requirement.id, { requirement, attached, start: start + order, ...(known && { known }) });
    }
  }

  /** For allure-vitest's listener: completes the result of one test before it is written. */
  readonly complete = (result: AllureResult): void => {
    const judged = this.#judged.get(result.name);
    if (judged && this.#report) completeAllureResult(result, judged, this.#report, this.directory);
  };
}

/**
 * Shares the exchanges out, each to the requirement whose evidence is the smallest, those that did not pass first: most
 * requirements look at the same ones, and a file for each of them takes longer to write than the requests took to send.
 */
function share(outcomes: readonly Outcome[], record: readonly Exchange[]): Map<string, Exchange[]> {
  const shares = new Map<string, Exchange[]>(outcomes.map(({ slug, exchanges }) => [slug, exchanges.slice(0, 1)]));
  let left = EXCHANGES - [...shares.values()].flat().length;
  for (const { slug, exchanges } of outcomes) {
    const more = exchanges.slice(1, 1 + Math.max(0, left));
    left -= more.length;
    shares.get(slug)?.push(...more);
  }
  const taken = new Set(outcomes.flatMap(({ exchanges }) => exchanges.map(({ id }) => id)));
  const byId = new Map(record.map((exchange) => [exchange.id, exchange]));
  const hasPassed = ({ outcome }: Outcome) => Number(outcome === 'passed');
  const inTurn = [...outcomes].sort((a, b) => hasPassed(a) - hasPassed(b) || a.lookedAt.length - b.lookedAt.length);
  for (const { slug, lookedAt } of inTurn) {
    for (const exchange of lookedAt.filter((id) => !taken.has(id)).flatMap((id) => byId.get(id) ?? [])) {
      if (left <= 0) return shares;
      left -= 1;
      taken.add(exchange.id);
      shares.get(slug)?.push(exchange);
    }
  }
  return shares;
}
