/** Text that is HTML, and is therefore not escaped in a template. */
export class Html extends String {}

/** A value in a template. Text is escaped; a boolean, null or undefined is omitted. */
export type Value = Html | string | number | boolean | null | undefined | readonly Value[];

/** Makes HTML of a template, such as html`<p>${text}</p>`. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(
    strings
      .map((text, index) => text + (index < values.length ? render(values[index]) : ''))
      .join(''),
  );

function render(value: Value): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  return `${value}`.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
