import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { type Html, html } from '../html.ts';
import { depthRows, numbers } from '../numbers.ts';
import type { Report } from '../report.ts';
import type { Room } from '../room.ts';
import { facts } from './parts.ts';

/** Values of one choice that are shown. */
const VALUES = 20;

/** How far the run went, and what the service does where the interface leaves it open. */
export function restsOnPart(report: Report, room: Room): Html {
  return html`${facts([...numbers(report), ...depthRows(report)])}
<h3>Choices of the service</h3>
<p class="note">What the interface leaves open, and what this service does. No requirement depends on it.</p>
${choices(report, room)}
`;
}

function choices({ observations }: Report, room: Room): Html {
  const rows = Object.entries(observations).map(([name, values]) => {
    const left = values.length - VALUES;
    const shown = values.slice(0, VALUES).map((one) => html`<span class="value">${shorten(one, 200)}</span>`);
    const more = left > 0 && html`<span class="note">${counted(left, 'more value')}: see conformance.json</span>`;
    return [name, room(html`${shown}${more}`, `${counted(values.length, 'value')}: see conformance.json`)] as const;
  });
  return rows.length === 0 ? html`<p>None was seen.</p>` : facts(rows);
}
