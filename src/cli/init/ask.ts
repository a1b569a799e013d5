import { once } from 'node:events';
import { createInterface } from 'node:readline';
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
  const isHidden = question.includes('key');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isHidden ? nowhere : process.stdout;
  const lines = createInterface({ input: process.stdin, output, terminal: true, prompt: question });
  if (isHidden) process.stdout.write(question);
  lines.prompt();
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  if (isHidden) process.stdout.write('\n');
  if (answer !== undefined) return answer;
  throw new SettingsError('Nothing was written: the questions were not answered.');
}
