import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { SettingsError } from '../../settings/settings-error.ts';

/** Asks one question at a terminal. `check` returns what is made of an answer, or throws a SettingsError: it is asked again. */
export type Ask = <T>(question: string, check: (answer: string) => T, hidden?: boolean) => Promise<T>;

/** Asks a person questions, and ends when `ask` does. Rejects with a SettingsError when the person ends it. */
export async function withQuestions<T>(ask: (ask: Ask) => Promise<T>): Promise<T> {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const end = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) lines.once(event, () => end.abort());
  try {
    return await ask(async (question, check, hidden = false) => {
      for (;;) {
        const answered = lines.question(question, { signal: end.signal });
        // The question itself is written by now.
        isHidden = hidden;
        const answer = await answered;
        isHidden = false;
        if (hidden) process.stdout.write('\n');
        try {
          return check(answer.trim());
        } catch (error) {
          if (!(error instanceof SettingsError)) throw error;
          process.stdout.write(`${error.message}\n`);
        }
      }
    });
  } catch (error) {
    if (!end.signal.aborted) throw error;
    process.stdout.write('\n');
    throw new SettingsError('Nothing was written: the questions were not answered.');
  } finally {
    lines.close();
  }
}
