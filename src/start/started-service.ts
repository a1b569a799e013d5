import { secretsOf } from '../http/secrets.ts';
import { endText, type ProcessEnd, type StartedService } from '../plan/service.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import type { FirstAnswer } from './first-answer.ts';
import { listenersAt } from './listeners.ts';
import { ServiceLog } from './service-log.ts';
import { ServiceProcess } from './service-process.ts';

/** The service that the command of `--start` starts, as often as the run needs it. */
export class Service implements StartedService {
  /** How it ended during the run, each time. */
  readonly ends: ProcessEnd[] = [];
  readonly #settings: Settings;
  readonly #target: Target;
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: ServiceLog;
  readonly #firstAnswer: FirstAnswer;
  #process: ServiceProcess | undefined;
  #isUp = false;
  #left: Promise<string[]> | undefined;

  /** `environment` is its own but for the key. Throws a SettingsError where its log can't be written. */
  constructor(settings: Settings, target: Target, environment: NodeJS.ProcessEnv, firstAnswer: FirstAnswer) {
    const { redact } = secretsOf(target);
    this.#settings = settings;
    this.#target = target;
    this.#env = { ...environment, API_KEY: target.apiKey };
    this.#log = new ServiceLog(settings.reportDir, redact);
    this.#firstAnswer = firstAnswer;
  }

  /**
   * Starts it and waits until it answers. Rejects with a SettingsError where it ends early or never answers, and where somebody
   * else has taken its address.
   */
  async start(): Promise<void> {
    const { startTimeoutMs, start = '' } = this.#settings;
    const { baseUrl } = this.#target;
    // An interrupt may come while it is being started again.
    if (this.#left) throw this.#unusable('The service is not started after the end of the run');
    const service = new ServiceProcess(start, this.#env, this.#log);
    this.#process = service;
    this.#isUp = false;
    const answers = await this.#firstAnswer.waitFor(startTimeoutMs, () => service.ended() !== undefined);
    const stranger = await this.stranger();
    if (stranger !== undefined) throw this.#unusable(`Instead of the service ${stranger}`);
    const end = service.ended();
    if (end) throw this.#unusable(`The service ended${endText(end)} before it responded at ${baseUrl}`);
    const { failure } = this.#firstAnswer;
    if (!answers)
      throw this.#unusable(`The service did not respond at ${baseUrl} within ${startTimeoutMs} ms: ${failure}`);
    this.#isUp = true;
  }

  ended(): ProcessEnd | undefined {
    return this.#process?.ended();
  }

  async restart(): Promise<void> {
    await this.#endProcess();
    await this.start();
  }

  async stranger(): Promise<string | undefined> {
    const { strangers } = await this.#listeners();
    return this.#settings.reuse ? undefined : strangers;
  }

  /** What is not certain of who is judged, a clause. */
  async doubt(): Promise<string | undefined> {
    const { strangers, isHidden } = await this.#listeners();
    if (strangers !== undefined) return `${strangers} (--reuse)`;
    const place = `which process listens at ${this.#target.baseUrl}: it is assumed to be what --start started`;
    return isHidden ? `the system does not show ${place}` : undefined;
  }

  /** Ends all of it, once. Returns what could not be ended, such as `postgres (pid 42)`. */
  end(): Promise<string[]> {
    this.#left ??= this.#endProcess().finally(() => this.#log.close());
    return this.#left;
  }

  async #endProcess(): Promise<string[]> {
    const end = this.ended();
    if (end && this.#isUp) this.ends.push(end);
    this.#isUp = false;
    const left = (await this.#process?.end()) ?? [];
    return left.map(({ name, pid }) => `${name} (pid ${pid})`);
  }

  /** The sentence on what it printed last, and the lines. */
  told(lastLines: readonly string[]): [sentence: string, lines: string[]] {
    if (lastLines.length === 0) return ['It printed nothing.', []];
    return [`Its last lines (more in ${this.#log.path}):`, lastLines.map((line) => `  ${line}`)];
  }

  async #listeners() {
    const { baseUrl } = this.#target;
    const { strangers, isHidden } = await listenersAt(new URL(baseUrl), this.#process?.processes() ?? []);
    const clause = `${strangers.join(' and ')} listens at ${baseUrl}, which --start did not start`;
    return { strangers: strangers.length > 0 ? clause : undefined, isHidden };
  }

  #unusable(why: string): SettingsError {
    const [sentence, lines] = this.told(this.#log.last());
    return new SettingsError(`${why}. ${sentence}`, lines);
  }
}
