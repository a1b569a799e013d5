import type { CreatedUser } from '../conduct/tally.ts';
import type { Report } from './report.ts';
import type { RunFile } from './run-file.ts';
import type { TracedExchange } from './traced.ts';

/** What came of a whole run: plain data, without the key, of which every report is made. */
export interface RunResult {
  report: Report;
  /** Every exchange, with the requirements whose evidence it is. */
  traced: TracedExchange[];
  /** Who was created, for whoever cleans up. */
  created: CreatedUser[];
  /** Why the suite itself broke down, a sentence each; the report says what was judged by then. */
  faults: string[];
  /** What it takes to judge the run again; absent where the suite broke down before its end. */
  run?: RunFile;
}
