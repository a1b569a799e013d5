import { tally } from '../look.ts';
import type { Report } from '../report.ts';
import { type Html, html, type Value } from '../text.ts';
import { filterId } from './filter-style.ts';
import { marked } from './parts.ts';

/** Controls that show the requirements of one outcome, or of one level, alone. */
export function filtersPart({ requirements, scope }: Report): Html {
  const outcomes = tally(requirements, scope.strict).map((one) =>
    control('outcome', one.kind, marked(one, one.text)),
  );
  const levels = (['MUST', 'SHOULD'] as const).map((level) => {
    const { length } = requirements.filter((one) => one.level === level);
    return control('level', level, `${length} ${level}`);
  });
  const all = `all ${requirements.length}`;
  // The style shows them where they have an effect.
  return html`<div class="filters" hidden>
<fieldset><legend>Show outcomes</legend>
${control('outcome', undefined, all)}${outcomes}</fieldset>
<fieldset><legend>Show levels</legend>
${control('level', undefined, all)}${levels}</fieldset>
</div>
`;
}

/** A control for one value, or for all: those are shown at first. */
const control = (name: string, value: string | undefined, text: Value): Html =>
  html`<label><input type="radio" name="${name}" ${value === undefined ? html`checked` : html`id="${filterId(value)}"`}> ${text}</label>\n`;
