/** How much of what a target sent a page shows. Characters, or a count. */
export interface Bounds {
  /** Of a reason, an expectation, an observed value. */
  text: number;
  /** Exchanges of one requirement, headers of one exchange. */
  exchanges: number;
  headers: number;
  header: number;
  body: number;
  /** A longer command is left out as a whole: a part of it is of no use. */
  curl: number;
  /** Requests in the picture of the run and in its table. */
  requests: number;
  /** Values of one freedom. */
  values: number;
}

/** From what a usual run needs to what keeps a page small whatever a target sends. */
export const BOUNDS: Bounds[] = [
  { text: 2000, exchanges: 4, headers: 20, header: 200, body: 1200, curl: 8000, requests: 500, values: 30 },
  { text: 600, exchanges: 2, headers: 12, header: 120, body: 500, curl: 2500, requests: 400, values: 20 },
  { text: 150, exchanges: 1, headers: 0, header: 0, body: 60, curl: 600, requests: 100, values: 8 },
];

/** Bytes of a page at most, as far as the bounds can see to it. */
export const PAGE_LIMIT = 300_000;
