import { styleText } from 'node:util';
import { inert } from './text.ts';

type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'gray' | 'bold';
export type Paint = (style: Style, text: string) => string;

/**
 * Colors where the stream is a terminal that has them, and in the log of GitHub Actions. FORCE_COLOR wins over NO_COLOR, as in
 * Node; NO_COLOR wins over the rest.
 */
export function painter(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Paint {
  const { FORCE_COLOR, NO_COLOR, GITHUB_ACTIONS } = env;
  const colored =
    FORCE_COLOR === undefined
      ? !NO_COLOR && (GITHUB_ACTIONS === 'true' || (stream.isTTY === true && stream.hasColors()))
      : !['0', 'false'].includes(FORCE_COLOR);
  return (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text);
}

/** Columns of a line: those of the terminal; without one, lines are not wrapped. */
export function columnsOf({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number {
  return isTTY ? columns || 80 : Number.POSITIVE_INFINITY;
}

/** Letters that take two columns of a terminal. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60]/u;

const columns = (text: string) => Array.from(text).reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);

/** Wraps a plain text at its spaces to a width, and a word that is longer anywhere; each further line is indented. */
export function wrap(text: string, width: number, indent: number): string {
  const room = Math.max(20, width - indent);
  if (text.length * 2 <= room || room === Number.POSITIVE_INFINITY) return text;
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const word of text.split(/(?<= )(?! )/)) {
    const needed = columns(word.trimEnd());
    if (used > 0 && needed <= room && used + needed > room) {
      lines.push(line.trimEnd());
      [line, used] = ['', 0];
    }
    for (const letter of word) {
      const wide = columns(letter);
      if (used + wide > room && letter !== ' ') {
        lines.push(line);
        [line, used] = ['', 0];
      }
      line += letter;
      used += wide;
    }
  }
  // What begins a line by now may begin a command of a CI.
  return inert([...lines, line.trimEnd()].filter((one) => one !== '').join(`\n${' '.repeat(indent)}`));
}
