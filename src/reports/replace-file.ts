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

/** The sentence on a report with which something could not be done. */
export function notWritten(report: string, error: unknown, done = 'written'): string {
  return `${report} could not be ${done} (${codeOf(error)})`;
}

/** Does something with a report. Returns a sentence on it where that can't be done; none where it can. */
export function attempt(report: string, act: () => void, done?: string): string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [notWritten(report, error, done)];
  }
}
