import { type Redact, wholeKeyRedaction } from './redaction.ts';

/** Keys that are remembered; each costs a look at what every later run shows. */
const REMEMBERED = 8;

const remembered = new Map<string, Redact>();

/**
 * Remembers the key of a run, and gives the keys of other runs of this process to hide, as they are remembered when it is
 * called: a service that two runs judge may answer one with the key of the other.
 */
export function otherKeys(key: string): () => Redact[] {
  const redactKey = remembered.get(key) ?? wholeKeyRedaction(key);
  remembered.delete(key);
  remembered.set(key, redactKey);
  const [oldest = ''] = remembered.keys();
  if (remembered.size > REMEMBERED) remembered.delete(oldest);
  return () => [...remembered].flatMap(([other, redact]) => (other === key ? [] : [redact]));
}
