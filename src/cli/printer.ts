import { suite } from '../../specs/suite.ts';
import type { Progress } from '../conduct/explore.ts';
import type { Report } from '../reports/report.ts';
import { painter, progressLine } from '../reports/terminal.ts';
import { inertLine } from '../reports/text.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import type { Settings } from '../settings/settings.ts';
import { ProgressLine } from './progress.ts';

/** Prints a run as it goes on: what is judged, each requirement, and how far it is. */
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
    const lines = [
      this.#paint('bold', `${suite.name} ${suite.version}`),
      ...(name ? [`name: ${inertLine(name)}`] : []),
      `target: ${inertLine(baseUrl)}${embeddedReference ? ' (the embedded reference service)' : ''}`,
      ...(thorough ? [`thorough: ${bounds}`] : []),
      ...notices.map((notice) => this.#paint('yellow', `notice: ${notice}`)),
    ];
    process.stdout.write(`${lines.join('\n')}\n\n`);
  }

  /** The line of one requirement, as soon as it is judged. What could not be judged is named at the end, by its reasons. */
  outcome({ level }: RequirementInfo, { slug, outcome, reason }: Outcome): void {
    if (outcome === 'not-verified') return;
    this.#progress.clear();
    const line = { id: slug, level, outcome, reason };
    process.stdout.write(`${progressLine(line, this.#settings.strict, this.#paint)}\n`);
  }

  /** How far a thorough run is. */
  progress(progress: Progress): void {
    this.#progress.take(progress);
  }

  close(): void {
    this.#progress.close();
  }
}
