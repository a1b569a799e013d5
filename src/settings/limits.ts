/**
 * The suite's own bounds. What a user may want to change is a setting (settings.ts); these are the ones that nobody
 * should have to.
 */

/** Requests in flight at once: enough to hide the latency of a remote target, few enough for a development server. */
export const CONCURRENCY = 64;

/** The same over a network, where all answers so far have come in good time: all that a line of the plan has. */
export const FAR_AT_ONCE = 128;

/** The same where the target takes few connections: what waits fits into the shortest queue, which holds five. */
export const FEW_AT_ONCE = 4;

/** The first pause after a 429 or 503 without Retry-After; it doubles with each. */
export const RETRY_PAUSE_MS = 100;

/** How long a target may answer nothing but 429 and 503 before the suite gives up: a minute's quota, half refilled. */
export const PATIENCE_MS = 30_000;

/** Characters of a body that reports keep: a page of a terminal. */
export const EXCERPT_LIMIT = 2000;

/** Characters of a header's value that reports keep. */
export const HEADER_LIMIT = 1000;

/** Bytes of the summary: GitHub drops a job summary of more than 1 MiB as a whole. */
export const SUMMARY_LIMIT = 1_000_000;

/** Bytes of any body but a list's: a record, or a refusal, of which no more is looked at. Of a list, characters of an item. */
export const RECORD_LIMIT = 1024 * 1024;

/** Seeds that the suite draws are below: as long as a number may be that `--seed` takes again. */
export const SEED_LIMIT = 1_000_000_000;

/** How long a thorough run sends nothing, once: longer than most pools and proxies keep an idle connection. */
export const IDLE_PAUSE_MS = 10_500;

/** Requests in flight at once while a thorough run explores: more than the pools of most services hold. */
export const EXPLORED_AT_ONCE = 96;

/** How many of the users who were there before a thorough run retrieves, besides the first and the last of the list. */
export const EXPLORED_OTHERS = 50;
