import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { depthRows } from '../depth.ts';
import { type Html, html } from '../html.ts';
import type { Report } from '../report.ts';
import type { Room } from '../room.ts';
import { secondsText } from '../text.ts';
import { facts } from './parts.ts';

/** Values of one choice that are shown. */
const VALUES = 20;

/** How far the run went, and what the service does where the interface leaves it open. */
export function restsOnPart(report: Report, room: Room): Html {
  return html`${facts(depthOf(report))}
<h3>Choices of the service</h3>
<p class="note">What the interface leaves open, and what this service does. No requirement depends on it.</p>
${choices(report, room)}
`;
}

/** What a reader asks who wonders how much a verdict is worth. */
function depthOf({ scope, requests, users, duration, requirements, coverage }: Report): [string, string | number][] {
  const judged = requirements.filter(({ outcome }) => ['passed', 'failed', 'known-failure'].includes(outcome)).length;
  const limits = [
    ...(scope.partial ? ['some requirements were left out'] : []),
    ...(scope.readOnly ? ['read-only'] : []),
  ];
  return [
    ['requirements checked', `${judged} of ${requirements.length}`],
    ['requests', requests],
    [
      'users created',
      users.created === 0 || users.tag === '' ? users.created : `${users.created}, with ${users.tag} in their email`,
    ],
    ['duration', secondsText(duration)],
    ['what fails the run', scope.strict ? 'a failed MUST or SHOULD (strict)' : 'a failed MUST'],
    ...(coverage ? depthRows(coverage) : []),
    ...(limits.length > 0 ? ([['limited', limits.join(', ')]] satisfies [string, string][]) : []),
  ];
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
