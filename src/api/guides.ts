import type { Report } from '../reports/report.ts';
import type { RunResult } from '../reports/run-result.ts';

/** Returns a result with the guides to the requirements if one failed. Otherwise no run loads them. */
export async function withGuides(result: RunResult): Promise<RunResult> {
  if (!hasFailure(result.report)) return result;
  const { guides } = await import('../../specs/guides/index.ts');
  return { ...result, guides };
}

const hasFailure = ({ requirements }: Report): boolean =>
  requirements.some(({ outcome }) => outcome === 'failed' || outcome === 'known-failure');
