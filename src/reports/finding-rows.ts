import type { Reproduction } from '../conduct/reproduction.ts';
import { counted } from '../verdict/verdict.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { some } from './text.ts';

/** What of a report a finding needs. */
export type Listing = Partial<Pick<Report, 'knownFailures' | 'runs'>>;

/** What there is to say of a requirement that is not passed, a name and a value each. */
export function findingRows(one: ReportedRequirement, report: Listing): [name: string, value: string][] {
  const { id, reason, expected, got } = one;
  const rows = {
    'known failure': report.knownFailures?.listed.find(({ slug }) => slug === id)?.reason,
    ...(expected === undefined ? { why: reason } : { expected, got }),
    'seen in': seenIn(one, report),
    failed: oftenText(one),
  };
  return Object.entries(rows).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** In how many runs of a merged report, and in which, a requirement had its outcome; undefined in the report of one run. */
export function seenIn({ seenIn: places }: ReportedRequirement, { runs }: Listing): string | undefined {
  if (places === undefined || runs === undefined) return undefined;
  if (places.length === runs.length) return `each of ${counted(runs.length, 'run')}`;
  const ours = places.flatMap((place) => runs[place] ?? []);
  const seeds = ours.flatMap(({ seed }) => seed ?? []);
  const names =
    seeds.length === ours.length
      ? `seed${seeds.length === 1 ? '' : 's'} ${some(seeds.map(String))}`
      : some(ours.map(({ from }) => from));
  return `${places.length} of ${counted(runs.length, 'run')}: ${names}`;
}

/** How often a requirement failed, in words; undefined where it was checked but once. */
function oftenText({ seen, reproduction }: ReportedRequirement): string | undefined {
  const parts = [
    ...(seen && seen.of > 1 ? [`${seen.times} of ${seen.of} times`] : []),
    ...(reproduction ? [againText(reproduction)] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function againText({ seen, tried, cases }: Reproduction): string {
  if (seen === 0) return 'not again when it was retried';
  const often = `${seen} of ${tried} times when it was retried`;
  if (cases.length === 1) return `${often} alone`;
  return `${often}, only together with other requests: it depends on what is sent before or at the same time`;
}
