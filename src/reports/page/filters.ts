import { countKinds } from '../appearance.ts';
import { type Html, html, type Value } from '../html.ts';
import type { Report } from '../report.ts';
import { filterId } from './filter-style.ts';
import { symbolAndText } from './parts.ts';

/** Returns controls that show only the requirements of one outcome or one level. */
export function filtersPart({ requirements, scope }: Report): Html {
  const outcomes = countKinds(requirements, scope.strict).map((count) =>
    control('outcome', count.kind, symbolAndText(count, count.text)),
  );
  const levels = (['MUST', 'SHOULD'] as const).map((level) => {
    const { length } = requirements.filter((requirement) => requirement.level === level);
    return control('level', level, `${length} ${level}`);
  });
  const all = `all ${requirements.length}`;
  // The style shows the controls in browsers in which they work.
  return html`<div class="filters" hidden>
<fieldset><legend>Show outcomes</legend>
${control('outcome', undefined, all)}${outcomes}</fieldset>
<fieldset><legend>Show levels</legend>
${control('level', undefined, all)}${levels}</fieldset>
</div>
`;
}

/** Returns the control for a value; without one, the control for all, which is checked. */
function control(name: string, value: string | undefined, text: Value): Html {
  const attribute = value === undefined ? html`checked` : html`id="${filterId(value)}"`;
  return html`<label><input type="radio" name="${name}" ${attribute}> ${text}</label>\n`;
}
