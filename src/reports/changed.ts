/** The changes since an earlier run: the slugs of each kind. */
export interface Changes
  extends Record<'failing' | 'fixed' | 'still' | 'unverified' | 'unchecked', string[]> {
  /** The earlier run. */
  since: { start: string; title: string; requirementSet: string };
}
