/** How a process ended: by an exit code, or by a signal; neither where nobody knows. */
export interface ProcessEnd {
  code: number | null;
  signal: string | null;
  /** The last lines that it printed, without secrets. */
  lastLines: string[];
}

/** The service, where the run's own side has started it (`--start`). */
export interface StartedService {
  /** How it ended; undefined as long as it runs. */
  ended(): ProcessEnd | undefined;
  /** Ends what is left of it, starts it again and waits until it answers. Rejects with a sentence where it does not. */
  restart(): Promise<void>;
  /** Says in a clause that somebody else takes requests at its address; undefined where nobody does, or the system does not tell. */
  stranger(): Promise<string | undefined>;
}

/** Such as ` with exit code 1` and ` by SIGKILL`; empty where nobody knows. */
export function endText({ code, signal }: Pick<ProcessEnd, 'code' | 'signal'>): string {
  if (code === null && signal === null) return '';
  return code === null ? ` by ${signal}` : ` with exit code ${code}`;
}
