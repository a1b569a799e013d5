import type { ReportedRequirement } from './report.ts';

/** How often a failure was seen, in words; empty where it was judged but once. */
export function seenText({ seen, reproduction }: Pick<ReportedRequirement, 'seen' | 'reproduction'>): string {
  const parts = [
    ...(seen && seen.of > 1 ? [`${seen.times} of the ${seen.of} times that it was judged`] : []),
    ...(reproduction ? [againText(reproduction)] : []),
  ];
  return parts.join('; ');
}

function againText({ seen, tried, cases }: NonNullable<ReportedRequirement['reproduction']>): string {
  if (seen === 0) return 'not when it was tried again';
  const often = `${seen} of ${tried} times when it was tried again`;
  if (cases.length === 1) return `${often} alone`;
  return `${often}, only together with others: it depends on what is sent at the same time, or was sent before`;
}
