import { styleText } from 'node:util';
import { wrapAnsi } from 'fast-wrap-ansi';
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

/** What text is printed on: its colors, and the columns of a line. */
export interface Screen {
  paint: Paint;
  width: number;
}

export const screenOf = (stream: NodeJS.WriteStream): Screen => ({ paint: painter(stream), width: columnsOf(stream) });

/** Wraps a plain text at its spaces to a width, and a word that is longer anywhere; each further line is indented. */
export function wrap(text: string, width: number, indent: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  const lines = wrapAnsi(text, Math.max(20, width - indent), { hard: true });
  // What begins a line by now may begin a command of a CI.
  return inert(lines.replaceAll('\n', `\n${' '.repeat(indent)}`));
}
