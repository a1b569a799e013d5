import { counted } from '../../verdict/verdict.ts';
import { html } from '../html.ts';
import { failures, type Report } from '../report.ts';
import { quote } from '../text.ts';
import type { Part } from './document.ts';
import { breakable } from './parts.ts';

const COMMAND = 'node_modules/.bin/user-management-conformance';

/** What to do about the findings: which to fix first, and the commands that show whether it is fixed. */
export function nextSteps(report: Report): Part | string {
  const { failing, warnings } = failures(report);
  const [first] = [...failing, ...warnings];
  if (first === undefined) return '';
  const behind = report.requirements.filter(({ needs }) => needs === first.id).length;
  const { target, coverage, scope } = report;
  const address = `--base-url ${target.embeddedReference ? 'embedded-reference' : word(target.baseUrl)}`;
  const seed = coverage?.seeds[0];
  const depth = seed === undefined ? '' : ` --thorough --seed ${seed}`;
  const flags = `${address}${scope.strict ? ' --strict' : ''}${depth}`;
  const step = (text: Part | string, args: string) => html`<li>${text}<br><code>${COMMAND} ${args}</code></li>\n`;
  return html`<h3>Next</h3>
<ol class="next">
<li>Fix <a href="#${first.id}">${breakable(first.id)}</a> first${behind > 0 && `: ${counted(behind, 'requirement')} could not be judged because of it`}.</li>
${step('Send again what showed it:', `reproduce ${word(first.id)} ${address}`)}${step('Check this requirement alone:', `${flags} --only ${word(first.id)}`)}${step('Then run everything again:', flags)}</ol>
`;
}

/** A word of a shell command, in quotes where it needs them. */
function word(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : quote(text);
}
