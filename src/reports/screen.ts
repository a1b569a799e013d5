import { styleText } from 'node:util';
import { wrapAnsi } from 'fast-wrap-ansi';
import type { Style } from './appearance.ts';
import { sanitize } from './text.ts';

/** The medium of printed text: its colors, and the columns of a line. */
export interface Screen {
  paint: (style: Style | 'bold', text: string) => string;
  width: number;
}

/**
 * Returns the screen of a stream. It has colors on a terminal that supports them and in the log of
 * GitHub Actions. FORCE_COLOR overrides NO_COLOR, as in Node, and NO_COLOR overrides the rest.
 * Without a terminal, lines are not wrapped.
 */
export function screenOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Screen {
  const { FORCE_COLOR, NO_COLOR, GITHUB_ACTIONS } = env;
  const supportsColors = GITHUB_ACTIONS === 'true' || (stream.isTTY && stream.hasColors());
  const hasColors =
    FORCE_COLOR === undefined ? supportsColors && !NO_COLOR : !['0', 'false'].includes(FORCE_COLOR);
  return {
    paint: (style, text) => (hasColors ? styleText(style, text, { validateStream: false }) : text),
    width: stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY,
  };
}

/** A screen for files: plain text with a fixed width. */
export const plainScreen = (width: number): Screen => ({ paint: (_, text) => text, width });

/** A screen for texts of any width. */
export const PLAIN = plainScreen(Number.POSITIVE_INFINITY);

/** Wraps a plain text at spaces, or within a word that is too long. Indents all further lines. */
export function wrap(text: string, width: number, indent: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  const lines = wrapAnsi(text, Math.max(20, width - indent), { hard: true });
  // The new beginning of a line may be a command of a CI runner.
  return sanitize(lines.replaceAll('\n', `\n${' '.repeat(indent)}`));
}
