/**
 * The suite's own bounds. What a user may want to change is a setting (settings.ts); these are the ones that nobody
 * should have to.
 */

/** Requests in flight at once: enough to hide the latency of a remote target, few enough for a development server. */
export const CONCURRENCY = 64;

/** The same where the target takes few connections: what waits fits into the shortest queue, which holds five. */
export const FEW_AT_ONCE = 4;

/** Characters of a body that reports keep: a page of a terminal. */
export const EXCERPT_LIMIT = 2000;

/** Characters of a header's value that reports keep. */
export const HEADER_LIMIT = 1000;

/**
 * Bytes of any body but a list's: a record, or a refusal, of which no more is looked at. Of a list, characters of an
 * item.
 */
export const RECORD_LIMIT = 1024 * 1024;
