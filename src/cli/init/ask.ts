import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { SettingsError } from '../../settings/settings-error.ts';

/** Whether there is a person to ask. */
export const isTerminal = process.stdin.isTTY && process.stdout.isTTY;

/**
 * What `read` makes of a value that is known, or else of a person's answer, which is empty without a terminal. A person is asked
 * again where `read` throws a SettingsError. Rejects with one when the person ends the questions.
 */
export async function ask<T>(known: string | undefined, question: string, read: (answer: string) => T): Promise<T> {
  if (known !== undefined || !isTerminal) return read(known ?? '');
  const answer = await typed(question);
  try {
    return read(answer.trim());
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stdout.write(`${error.message}\n`);
    return ask(known, question, read);
  }
}

/** A line that is typed at the terminal; a key is not shown. */
async function typed(question: string): Promise<string> {
  let isHidden = false;
  const write = (chunk: Buffer, _: unknown, done: () => void) => {
    if (!isHidden) process.stdout.write(chunk);
    done();
  };
  const lines = createInterface({ input: process.stdin, output: new Writable({ write }), terminal: true });
  const end = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) lines.once(event, () => end.abort());
  try {
    const answer = lines.question(question, { signal: end.signal });
    // The question itself is written by now.
    isHidden = question.includes('key');
    return await answer;
  } catch {
    throw new SettingsError('Nothing was written: the questions were not answered.');
  } finally {
    lines.close();
    if (isHidden) process.stdout.write('\n');
  }
}
