import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, makeFolder } from '../settings/files.ts';

/**
 * Writes a file beside its place and moves it there: nobody ever finds half of one, and a symbolic link is replaced, not
 * followed. Throws what the system says.
 */
export function replaceFile(path: string, content: string | Buffer): void {
  const beside = `${path}.${process.pid}.part`;
  try {
    makeFolder(dirname(path));
    rmSync(beside, { force: true });
    writeFileSync(beside, content, { flag: 'wx' });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Does something with a report. Returns a sentence on it where that can't be done; none where it can. */
export function attempt(report: string, act: () => void, done = 'written'): string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [`${report} could not be ${done} (${codeOf(error)})`];
  }
}
