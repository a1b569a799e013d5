import type { Report } from '../reports/report.ts';
import type { RunResult } from '../reports/run-result.ts';

/** Adds the guides to a result with a failure. Other runs don't load them. */
export async function withGuides(result: RunResult): Promise<RunResult> {
  if (!hasFailure(result.report)) return result;
  const { guides } = await import('../../specs/guides.ts');
  return { ...result, guides };
}

const hasFailure = ({ requirements }: Report): boolean =>
  requirements.some(({ outcome }) => outcome === 'failed' || outcome === 'known-failure');
