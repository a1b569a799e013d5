/**
 * The suite's own bounds. What a user may want to change is a setting (settings.ts); these are the ones that nobody
 * should have to.
 */

/** Requests under way at once: enough to hide the latency of a remote target, few enough for a development server. */
export const CONCURRENCY = 64;

/** The same over a network, where all answers so far have come in good time: all that a line of the plan has. */
export const FAR_AT_ONCE = 128;

/** The same where the target takes few connections: what waits fits into the shortest queue, which holds five. */
export const FEW_AT_ONCE = 4;

/** How long a connection to a target at hand takes at most: where its queue is full, TCP tries again after a second. */
export const CONNECTION_MS = 500;

/** How long a target at hand may be silent while requests wait and connections are idle: then these may hold its workers. */
export const SILENCE_MS = 150;

/** The first pause after a 429 or 503 without Retry-After; it doubles with each. */
export const RETRY_PAUSE_MS = 100;

/** How often what creates is tried after a 503, each time with another user: the pauses before are three seconds together. */
export const CREATION_TRIES = 6;

/** How long a target may answer nothing but 429 and 503 before the suite gives up: a minute's quota, half refilled. */
export const PATIENCE_MS = 30_000;

/** The first pause before a lagging read is looked at again; it doubles up to the settle time. */
export const SETTLE_PAUSE_MS = 20;

/** Characters of a body that reports keep: a page of a terminal. */
export const EXCERPT_LIMIT = 2000;

/** Characters of a header's value that reports keep. */
export const HEADER_LIMIT = 1000;

/**
 * The least time between the last refused creation and the look whether it was carried out after all: a queue on the
 * same machine is emptied by then, and a default run is hardly longer for it.
 */
export const LATE_CREATION_MS = 300;

/** How many values of one answer are tried as the identifier: a record of three dozen members, and an end. */
export const CANDIDATES = 40;

/** How long a target may be away before it counts as gone: a supervisor, or a container, starts most services within that. */
export const AWAY_MS = 10_000;

/** Bytes of the summary: GitHub drops a job summary of more than 1 MiB as a whole. */
export const SUMMARY_LIMIT = 1_000_000;

/** Bytes of any body but a list's: a record, or a refusal, of which no more is looked at. Of a list, characters of an item. */
export const RECORD_LIMIT = 1024 * 1024;

/** How often counts are taken before what others make impossible to tell is left alone. */
export const COUNTING_ROUNDS = 3;

/** Seeds that the suite draws are below: as long as a number may be that `--seed` takes again. */
export const SEED_LIMIT = 1_000_000_000;

/** How long a thorough run sends nothing, once: longer than most pools and proxies keep an idle connection. */
export const IDLE_PAUSE_MS = 10_500;

/** Requests under way at once while a thorough run explores: more than the pools of most services hold. */
export const EXPLORED_AT_ONCE = 96;

/** How many of the users who were there before a thorough run retrieves, besides the first and the last of the list. */
export const EXPLORED_OTHERS = 50;
