/** The settings are unusable; the message is the one sentence that says what to do. */
export class SettingsError extends Error {
  /** Lines to show below the sentence, each as it may stand on a terminal. */
  readonly below: string[];

  constructor(message: string, below: string[] = []) {
    super(message);
    this.below = below;
  }
}
