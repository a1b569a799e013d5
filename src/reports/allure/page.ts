import { randomBytes } from 'node:crypto';

/** What loads from outside, or measures visitors, in the pages that Allure makes. */
const OUTSIDE =
  /<script\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?\/\/[^>]*>\s*<\/script>|<link\b[^>]*\bhref\s*=\s*["']?(?:https?:)?\/\/[^>]*>|<script>\s*window\.dataLayer\b.*?<\/script>/gis;

const byTestId = (...names: string[]) => names.map((name) => `[data-testid="${name}"]`).join(', ');

/**
 * Takes out of sight what a single run has nothing to say to, and a percentage: a service with one fault does not conform
 * to 98 %. Long values are shown whole.
 */
const STYLE = `
  ${byTestId('nav-tab-qualityGate', 'nav-tab-globalAttachments')},
  ${byTestId('retry-filter', 'flaky-filter', 'resolution-filter', 'transition-filter')},
  ${byTestId('test-result-tab-history', 'test-result-tab-retries', 'test-result-tab-environments')},
  ${byTestId('test-result-attachment-header')} .paragraphs-text-s { display: none; }
  ${byTestId('test-result-error-header')} > p, [aria-label^="Success rate"] { visibility: hidden; }
  ${byTestId('metadata-item-value')} * { height: auto !important; white-space: normal !important; }
  pre, pre * { overflow-wrap: anywhere !important; }
  @media (max-width: 700px) {
    ${byTestId('metadata-list')} { grid-template-columns: 1fr !important; }
  }
`;

/** Allure scrolls to the first finding when it opens, out of sight of the verdict: a reader begins at the top. */
const BEGIN_AT_TOP = `
  const opened = new AbortController();
  const done = () => opened.abort();
  for (const input of ['wheel', 'keydown', 'pointerdown', 'touchstart']) addEventListener(input, done, { once: true });
  setTimeout(done, 3000);
  const toTop = ({ target }) => { target.scrollTop = 0; };
  addEventListener('scroll', toTop, { capture: true, signal: opened.signal });
`;

const HEAD = `
    <meta name="viewport" content="width=device-width">
    <style>${STYLE}</style>
    <script>${BEGIN_AT_TOP}</script>
`;

/**
 * Makes a page of Allure's self-contained: cuts what loads from outside, and adds a policy by which a browser loads
 * nothing else and runs no script but the page's own, whatever a target sent.
 */
export function selfContained(html: string): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline' data:",
    ...['img', 'font', 'connect', 'media', 'frame'].map((kind) => `${kind}-src data: blob:`),
    "form-action 'none'",
  ].join('; ');
  return html
    .replace(OUTSIDE, '')
    .replace(/<\/head>/i, `${HEAD}$&`)
    .replace(/<script\b/gi, `<script nonce="${nonce}"`)
    .replace(/<head\b[^>]*>/i, `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
