import { shorten } from '../../http/value.ts';
import { lineToChange } from '../../verdict/entries-to-change.ts';
import { notVerified } from '../finding.ts';
import { type Html, html } from '../html.ts';
import { findingsOf, type Report, type ReportedRequirement } from '../report.ts';
import type { Room } from '../room.ts';
import { quote } from '../text.ts';
import { linkTo, listed } from './parts.ts';
import { requirementPart } from './requirements.ts';

/** Requirements of one reason that are named: the list of all has the rest. */
const NAMED = 8;

/**
 * What did not pass, the most telling first, and the first with its requests open; what to do about it, and what was
 * not verified.
 */
export function findingsPart(report: Report, room: Room): Html | false {
  const toChange = report.knownFailures.toChange.map(lineToChange);
  const findings = findingsOf(report);
  const open = notVerified(report).map(([reason, slugs]) => {
    const left = slugs.length - NAMED;
    return html`<li>${shorten(reason, 300)}: ${listed(slugs.slice(0, NAMED).map(linkTo))}${left > 0 && ` and ${left} more`}</li>\n`;
  });
  if (findings.length + toChange.length + open.length === 0) return false;
  return html`<section><h2 id="findings">Findings</h2>
<ul>${findings.map((one, at) => requirementPart(one, report, room, at === 0))}</ul>
${toChange.length > 0 && html`<h3>Known failures to update</h3>\n<ul>${toChange.map((line) => html`<li>${line}</li>`)}</ul>\n`}
${nextSteps(findings[0], report)}
${open.length > 0 && html`<h3>Not verified</h3>\n<ul>${open}</ul>`}</section>`;
}

/** What to do about the findings: which to fix first, and the commands that show whether it is fixed. */
function nextSteps(first: ReportedRequirement | undefined, report: Report): Html | false {
  if (first?.outcome !== 'failed') return false;
  const { target, coverage, scope } = report;
  const address = `--base-url ${target.embeddedReference ? 'embedded-reference' : word(target.baseUrl)}`;
  const depth = coverage ? ` --thorough --seed ${coverage.seed}` : '';
  const flags = `${address}${scope.strict ? ' --strict' : ''}${depth}`;
  const step = (text: string, args: string) =>
    html`<li>${text}<br><code>node_modules/.bin/user-management-conformance ${args}</code></li>\n`;
  return html`<h3>Next</h3>
<ol>
<li>Fix ${linkTo(first.id)} first.</li>
${step('Resend the failed requests:', `reproduce ${word(first.id)} ${address}`)}${step('Check this requirement alone:', `${flags} --only ${word(first.id)}`)}${step('Then run everything again:', flags)}</ol>`;
}

/** A word of a shell command, in quotes where it needs them. */
function word(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : quote(text);
}
