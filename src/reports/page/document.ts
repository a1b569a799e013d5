import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, raw } from '../html.ts';
import { inert } from '../text.ts';

/** The style of all pages. A browser reads line ends as one character, and so does the policy's hash. */
const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8').replaceAll('\r\n', '\n');

/**
 * A page that stands alone: nothing from outside, and a policy by which a browser applies its style alone and runs nothing.
 * Whatever its values hold is shown as text.
 */
export function documentOf(title: string, body: Html): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return inert(String(page));
}
