/** How a failure of a thorough run can be seen again: plain data, which stands in the report. */
export interface Reproduction {
  /** How often it was seen when it was tried again, and how often it was tried. */
  seen: number;
  tried: number;
  /** The topic of the cases that show it, and their parameters: of one case alone, or of all that must be sent at once. */
  topic: string;
  cases: unknown[];
}

/** How often a failure was seen, in words. */
export function seenText({ seen, tried, cases }: Pick<Reproduction, 'seen' | 'tried' | 'cases'>): string {
  if (seen === 0) return 'once, and not when it was tried again';
  const often = `${seen} of ${tried} times when it was tried again`;
  if (cases.length === 1) return `${often} alone`;
  return `${often}, only together with others: it depends on what is sent at the same time, or was sent before`;
}
