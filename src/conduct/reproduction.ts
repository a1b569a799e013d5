/** How a failure of a thorough run can be seen again: plain data, which stands in the report. */
export interface Reproduction {
  /** How often it was seen when it was tried again, and how often it was tried. */
  seen: number;
  tried: number;
  /** The topic of the cases that show it, and their parameters: of one case alone, or of all that must be sent at once. */
  topic: string;
  cases: unknown[];
}
