import { counted } from '../../verdict/verdict.ts';
import type { Report } from '../report.ts';
import { inertLine } from '../text.ts';

/** The program that makes the page: it is fetched when it is needed, as it is fifty times as large as the suite. */
export const ALLURE = 'allure@3.18.0';

/**
 * The configuration of Allure 3 for the page of a run: what stands above the results, how they are grouped, and what its
 * words mean here. `results` and `output` are absolute paths.
 */
export function allureConfig(report: Report, results: string, output: string) {
  const { strict } = report.scope;
  return {
    name: `User Management Service conformance: ${inertLine(report.title)}`,
    output,
    resultsDir: [results],
    // The same as parentSuite, for other readers of the results.
    hideLabels: ['feature', 'epic'],
    variables: {
      Implementation: inertLine(report.target.name),
      Verdict: inertLine(`${report.title}: ${report.because}`),
      Target: `${inertLine(report.target.baseUrl)}${report.target.embeddedReference ? ' (the embedded reference service)' : ''}`,
      Run: run(report),
      Suite: inertLine(`${report.suite.version}, requirement set ${report.suite.requirementSet}`),
      Failed: `${strict ? 'a MUST or, in strict mode, a SHOULD' : 'a MUST'} that is not met, or a known failure that passes now`,
      Broken: 'a SHOULD that is not met: a warning',
      Skipped: 'not applicable, or a known failure',
      Unknown: 'not verified: it could not be judged',
    },
    categories: [
      { name: strict ? 'Not met' : 'MUST not met', groupByMessage: false, matchers: [{ statuses: ['failed'] }] },
      { name: 'Warning: SHOULD not met', groupByMessage: false, matchers: [{ statuses: ['broken'] }] },
      { name: 'Not verified', matchers: [{ statuses: ['unknown'] }] },
      { name: 'Known failure', groupByMessage: false, matchers: [{ labels: { tag: '^known failure$' } }] },
      { name: 'Not applicable', matchers: [{ labels: { tag: '^not applicable$' } }] },
    ],
    plugins: {
      awesome: {
        options: {
          singleFile: true,
          reportLanguage: 'en',
          groupBy: ['parentSuite'],
        },
      },
    },
  };
}

function run({ requests, users, duration, scope }: Report): string {
  return [
    `${(duration / 1000).toFixed(1)} s`,
    counted(requests, 'request'),
    `${counted(users.created, 'user')} created`,
    ...(scope.strict ? ['strict'] : []),
  ].join(', ');
}
