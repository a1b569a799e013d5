/** A piece of HTML: it is put into another as it is. */
export class Html extends String {}

/** What may stand in a template: texts are escaped, lists are put together, and what is false or nothing is left out. */
export type Value = Html | string | number | boolean | null | undefined | readonly Value[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Makes HTML of a template, such as html`<p>${text}</p>`. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.map((text, index) => text + (index < values.length ? written(values[index]) : '')).join(''));
}

/** Makes HTML of a text that is HTML already. */
export const raw = (text: string): Html => new Html(text);

function written(value: Value): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(written).join('');
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  return `${value}`.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
