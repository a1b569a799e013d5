import { suite } from '../../specs/suite.ts';
import type { Counts } from '../conduct/conduct.ts';
import type { Progress } from '../conduct/explore.ts';
import { columnsOf, painter, wrap } from '../reports/paint.ts';
import type { Report } from '../reports/report.ts';
import { inertLine } from '../reports/text.ts';
import type { Settings } from '../settings/settings.ts';
import { ProgressLine } from './progress.ts';

/** Prints what a run judges, and how far it is. */
export class Printer {
  readonly #settings: Settings;
  readonly #paint = painter(process.stdout);
  readonly #progress = new ProgressLine(process.stdout);

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Says what is judged. */
  head({ baseUrl, embeddedReference }: Report['target']): void {
    const { name, thorough, seed, budgetMs, maxRequests, maxUsers, notices } = this.#settings;
    const bounds = `seed ${seed}, ${budgetMs / 1000} s, at most ${maxRequests} requests and ${maxUsers} users`;
    const width = columnsOf(process.stdout);
    const lines = [
      this.#paint('bold', `${suite.name} ${suite.version}`),
      ...(name ? [`name: ${inertLine(name)}`] : []),
      `target: ${inertLine(baseUrl)}${embeddedReference ? ' (the embedded reference service)' : ''}`,
      ...(thorough ? [`thorough: ${bounds}`] : []),
      ...notices.map((notice) => this.#paint('yellow', wrap(`notice: ${notice}`, width, 2))),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }

  /** Follows a run by what it has counted so far. */
  follow(counts: () => Counts): void {
    this.#progress.follow(counts);
  }

  /** How far a thorough run is. */
  progress(progress: Progress): void {
    this.#progress.take(progress);
  }

  close(): void {
    this.#progress.close();
  }
}
