import { expect, test } from 'vitest';
import { html, raw } from './html.ts';

test('texts are escaped, wherever they stand; HTML is not escaped again', () => {
  const text = `<script>'"&amp;`;
  const escaped = '&lt;script&gt;&#39;&quot;&amp;amp;';
  expect(`${html`<p title="${text}">${text}</p>`}`).toBe(`<p title="${escaped}">${escaped}</p>`);
  expect(`${html`<ul>${[text, 'b'].map((one) => html`<li>${one}</li>`)}</ul>`}`).toBe(
    `<ul><li>${escaped}</li><li>b</li></ul>`,
  );
  expect(`${html`${raw('<b>')}${[['&']]}`}`).toBe('<b>&amp;');
});

test('numbers are shown, and what is false or nothing is left out', () => {
  expect(`${html`${0}|${false}|${true}|${null}|${undefined}|${''}`}`).toBe('0|||||');
});
