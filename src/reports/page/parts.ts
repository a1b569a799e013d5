import { html } from '../html.ts';
import type { Part } from './document.ts';

/** A slug that breaks behind its dot where there is no room. */
export function breakable(slug: string): Part[] {
  return slug.split(/(?<=\.)/).map((part) => html`${part}<wbr>`);
}

/** A sentence whose words in backticks are code. */
export function withCode(sentence: string): (Part | string)[] {
  return sentence.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** One of several choices that exclude each other. */
export function choice(group: string, id: string, text: string, checked = false): Part {
  const state = checked ? html` checked` : '';
  return html`<label><input type="radio" name="${group}" id="${id}" autocomplete="off"${state}> ${text}</label>\n`;
}
