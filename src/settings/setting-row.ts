import type { Kind } from './kinds.ts';

/** A setting: how it is called, what its values are, and what it means. */
export interface SettingRow {
  variable: string;
  /** The command's flag without the dashes; the key has none, because a process list shows flags. */
  flag?: string;
  /** The setting without which this one has no effect. */
  goesWith?: 'baseUrl' | 'start' | 'thorough' | 'baseline';
  kind: Kind<unknown>;
  /** What is read where nothing is set. */
  default: string;
  /** For the help. */
  meaning: string;
}
