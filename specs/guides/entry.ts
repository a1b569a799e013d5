import type { Guide } from '../../src/requirement/guide.ts';

/** A guide as it is declared. */
export interface Entry extends Omit<Guide, 'freedoms'> {
  /** A freedom that no choice of the interface names. */
  free?: string;
}

/** Guides by the slugs of their requirements. */
export type Entries = Readonly<Record<string, Entry>>;
