import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { SettingsError } from '../../settings/settings-error.ts';

/** Asks for what is not known. `read` returns what is made of an answer, or throws a SettingsError: a person is asked again. */
export type Ask = <T>(known: string | undefined, question: string, read: (answer: string) => T) => Promise<T>;

/** Asks a person at a terminal, and shows no answer to a question on a key. Rejects with a SettingsError when the person ends it. */
export async function withQuestions<T>(act: (ask: Ask) => Promise<T>): Promise<T> {
  let isHidden = false;
  const write = (chunk: Buffer, _: unknown, done: () => void) => {
    if (!isHidden) process.stdout.write(chunk);
    done();
  };
  const lines = createInterface({ input: process.stdin, output: new Writable({ write }), terminal: true });
  const end = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) lines.once(event, () => end.abort());
  const ask: Ask = async (known, question, read) => {
    if (known !== undefined) return read(known);
    const answered = lines.question(question, { signal: end.signal });
    // The question itself is written by now.
    isHidden = question.includes('key');
    const answer = await answered;
    if (isHidden) process.stdout.write('\n');
    isHidden = false;
    try {
      return read(answer.trim());
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      process.stdout.write(`${error.message}\n`);
      return ask(known, question, read);
    }
  };
  try {
    return await act(ask);
  } catch (error) {
    if (!end.signal.aborted) throw error;
    throw new SettingsError('Nothing was written: the questions were not answered.');
  } finally {
    lines.close();
  }
}
