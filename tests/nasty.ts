/** Characters that are invisible, or that reorder or hide others. */
const INVISIBLE = /(?![\t\n])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** A text that attacks terminals, CI runners, Markdown, HTML and XML. */
export const NASTY = [
  'nasty\u001b[2J\u0000\u0007\u009b31m',
  '\u061c\u200b\u200e\u202e\u2028\u2060\u2064\u2066\ufeff\u00ad\u3164\ufe0f\u{e0041}\ud800',
  '##[stop-commands]x ##[add-mask]x ###[set-env name=PATH;]x ##vso[task.complete result=Succeeded;] ##teamcity[buildStop]',
  '\n::stop-commands::x\r\n  ::error::x\r##[group]x\n\t::set-output name=verdict::conformant\n',
  '</details><script>alert(1)</script><img src=x onerror=alert(1)>]]>--> ``` |x| \' " [x](javascript:alert(1))',
].join('');

/**
 * Returns the harmful parts of a text: characters, and lines that a CI runner interprets as
 * commands.
 */
export function harmIn(text: string): string[] {
  const invisible = INVISIBLE.exec(text) ?? [];
  const logCommands = /##[\w.-]*\[/.exec(text) ?? [];
  const commands = text.split('\n').filter((line) => /^\s*::/.test(line) && !isOwnCommand(line));
  return [
    ...invisible.map((character) => `U+${character.codePointAt(0)?.toString(16)}`),
    ...logCommands,
    ...commands,
  ];
}

/** Whether a line is a command that the suite itself prints for GitHub Actions. */
function isOwnCommand(line: string): boolean {
  return (
    /^::(group::[✓–] [\w, -]+|endgroup::)$/.test(line) ||
    /^::(error|warning) (file=[^:]*|title=[^:]*)+::/.test(line)
  );
}
