import type { Comparison } from './comparison.ts';

/** The comparison as data: a value for each report, in their order; null where a report's set does not have a requirement. */
export function comparisonJson({ reports, names, links, changes, requirements, choices }: Comparison): object {
  return {
    reports: reports.map(({ verdict, title, target, suite, start, counts }, at) => ({
      ...{ name: names[at], baseUrl: target.baseUrl, start, verdict, title, counts },
      ...{ requirementSet: suite.requirementSet, report: links[at] ?? null },
    })),
    changes: changes ?? null,
    requirements: requirements.map(({ name, level, differs, values }) => ({
      ...{ id: name, level, differs },
      outcomes: values.map((value) => value?.outcome ?? null),
    })),
    observations: choices,
  };
}
