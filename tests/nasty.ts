/** What nobody sees in a text, or what turns or hides its neighbours, as far as Unicode knows. */
const UNSEEN = /(?![\t\n])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** A text from outside that means harm to whatever shows it: terminals, runners of CI, Markdown, HTML and XML. */
export const NASTY = [
  'nasty\u001b[2J\u0000\u0007\u009b31m',
  '\u061c\u200b\u200e\u202e\u2028\u2060\u2064\u2066\ufeff\u00ad\u3164\ufe0f\u{e0041}\ud800',
  '##[stop-commands]x ##[add-mask]x ###[set-env name=PATH;]x ##vso[task.complete result=Succeeded;] ##teamcity[buildStop]',
  '\n::stop-commands::x\r\n  ::error::x\r##[group]x\n\t::set-output name=verdict::conformant\n',
  '</details><script>alert(1)</script><img src=x onerror=alert(1)>]]>--> ``` |x| \' " [x](javascript:alert(1))',
].join('');

/** What in a text that is shown is not harmless; nothing where all is. */
export function harmIn(text: string): string[] {
  return [
    ...(UNSEEN.exec(text) ?? []).map((character) => `U+${character.codePointAt(0)?.toString(16)}`),
    ...(/##[\w.-]*\[/.exec(text) ?? []),
    ...text
      .split('\n')
      .filter((line) => !/^::(group::[✓–] [\w, -]+|endgroup::)$/.test(line))
      .filter(
        (line) =>
          /^\s*::/.test(line) && !/^::(error|warning) (file=[^:]*|title=[^:]*)+::/.test(line),
      ),
  ];
}
