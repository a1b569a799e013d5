import { unlessThrown } from '../settings/files.ts';

const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{[]\s*[}\]]|[{}[\],:]|\s+|[^\s"{}[\],:]+/g;

/** Levels that are indented; what is nested deeper stands below one another. */
const DEEPEST = 12;

/**
 * The lines of a body: each member of a JSON text on a line of its own, whose characters stay as they came. What is no
 * JSON text stays as it is; of a part of one (`isCut`) only the beginning is known. Pure.
 */
export function bodyLines(text: string, isCut = false): string[] {
  return (/^\s*[{[]/.test(text) && (isCut || unlessThrown(() => JSON.parse(text))) ? indented(text) : text).split('\n');
}

function indented(text: string): string {
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(Math.min(depth, DEEPEST))}`;
  return text.replace(TOKEN, (token) => {
    if (/^[{[]\s*[}\]]$/.test(token)) return token.replace(/\s+/, '');
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth = Math.max(0, depth - 1);
    if (/^[}\]]/.test(token)) return `${newLine()}${token}`;
    if (/^[{[,]/.test(token)) return `${token}${newLine()}`;
    return token === ':' ? ': ' : token.trim();
  });
}

/** What a finding says that came, as it may stand in an answer: statuses, and values as JSON. Pure. */
export function namedIn(got: string): ReadonlySet<string> {
  const statuses = [...got.matchAll(/(?<!\S)([1-5]\d\d)(?= |$)/g)].map(([, status = '']) => status);
  const texts = got.match(/"(?:[^"\\]|\\.)+"/g) ?? [];
  const others = [...got.matchAll(/(?:^|; )(true|false|null|-?\d+(?:\.\d+)?)(?= \(|$|;)/g)].map(([, one = '']) => one);
  return new Set([...statuses, ...texts, ...others]);
}
