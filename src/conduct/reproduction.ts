import type { Again } from './small.ts';

/** How a failure of a thorough run was seen. */
export interface Reproduction {
  /** How often it was seen when it was tried again, in words; absent where it was not tried. */
  seen?: string;
}

/** Tells how often a failure was seen; `again` is absent where it was not tried again. Pure. */
export function reproductionOf(again?: Again | 'not seen'): Reproduction {
  return again === undefined ? {} : { seen: seenText(again) };
}

function seenText(again: Again | 'not seen'): string {
  if (again === 'not seen') return 'once, and not when it was tried again';
  const often = `${again.seen} of ${again.tried} times when it was tried again`;
  if (again.how === 'alone') return `${often} alone`;
  return `${often}, only together with others: it depends on what is sent at the same time, or was sent before`;
}
