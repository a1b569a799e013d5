/** The settings are unusable; the message is the one sentence that says what to do. */
export class SettingsError extends Error {}
