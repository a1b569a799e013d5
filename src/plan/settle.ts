import { isContradictory, isPaged, isReadable, type Look, type LookedFor } from './look.ts';
import type { Run } from './run.ts';

/**
 * Reads the list, for what is sought, until the list shows what it must: every user that was retrieved, at least as many as before, and no contradiction
 * within itself. What it shows when the settle time has passed is what is judged.
 */
export function settledLook(run: Run, before: Look, sought: LookedFor = {}): Promise<Look> {
  const { proven, creations } = run.ledger;
  const ends = creations.map(({ exchange }) => (exchange ? exchange.at + exchange.duration : 0));
  const made = proven.filter(({ exchange }) => exchange && exchange.id > before.exchange.id).length;
  const isSettled = (look: Look) => {
    if (!isReadable(look)) return true;
    if (isContradictory(look) || look.total < before.total + made) return false;
    return isPaged(look) || proven.every((creation) => look.ours.get(creation)?.length === 1);
  };
  return run.until(() => run.look(sought), isSettled, Math.max(0, ...ends));
}
