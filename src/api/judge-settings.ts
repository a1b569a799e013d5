/**
 * The settings of `judge` and `conformance`. Paths are relative to the working directory.
 * docs/settings.md describes them.
 */
export interface JudgeSettings {
  /** The service's base address, ends in /v1. Required. */
  baseUrl: string;
  /** A key that works for all three operations. No outcome, report or error shows it. Required. */
  apiKey: string;
  /** The name of the implementation in reports. Default: its host and port. */
  name?: string | undefined;
  /** Extra headers for every request, e.g. for a gateway: each `Name: value`. Default: none. */
  headers?: string[] | undefined;
  /** The file of a client certificate (PEM). Default: none. */
  clientCert?: string | undefined;
  /** The file of the private key of `clientCert` (PEM). Default: none. */
  clientKey?: string | undefined;
  /** The file of a certificate authority to trust as well (PEM). Default: none. */
  ca?: string | undefined;
  /** Whether a failed SHOULD fails the run. Default: false. */
  strict?: boolean | undefined;
  /** Whether to create nothing, and to skip checks that create users. Default: false. */
  readOnly?: boolean | undefined;
  /** The file of known failures (YAML or JSON), which are accepted. Default: none. */
  knownFailures?: string | undefined;
  /** The directory for reports. Default: none, no reports are written. */
  reportDir?: string | undefined;
  /** The slugs of the only requirements to check; `*` matches any characters. Default: all requirements. */
  only?: string[] | undefined;
  /** The slugs of requirements to skip; `*` matches any characters. Default: none. */
  skip?: string[] | undefined;
  /** With `only` and `skip`: whether to send all requests of a run. Default: false. */
  allRequests?: boolean | undefined;
  /** Whether to explore further, with thousands of random requests and hundreds of users. Default: false. */
  thorough?: boolean | undefined;
  /** With `thorough`: the seed of its random choices. Default: a new one. */
  seed?: number | undefined;
  /** With `thorough`: the time to explore in seconds, on top of the deadline. Default: 60. */
  budgetSeconds?: number | undefined;
  /** With `thorough`: the approximate request limit. Default: 25000. */
  maxRequests?: number | undefined;
  /** With `thorough`: the approximate limit of users that it creates. Default: 1500. */
  maxUsers?: number | undefined;
  /** Whether to stop at the first failed MUST. Default: false. */
  bail?: boolean | undefined;
  /** The most requests per second. Default: no limit. */
  rate?: number | undefined;
  /** The most concurrent requests; 1 sends one request at a time. Default: no limit. */
  concurrency?: number | undefined;
  /** Whether to send `X-Request-Id`: the run's tag and the request's number in reports. Default: false. */
  requestIds?: boolean | undefined;
  /** The timeout per request in milliseconds. Default: 10000. */
  timeoutMs?: number | undefined;
  /** How long a read may lag behind a write, in milliseconds. Default: 2000. */
  settleMs?: number | undefined;
  /** The timeout for the whole run in milliseconds. Default: 600000. */
  deadlineMs?: number | undefined;
  /** The largest response body to read, decoded, in MiB. Default: 32. */
  bodyLimitMib?: number | undefined;
  /** The domain of the created users' email addresses. Default: example.com. */
  emailDomain?: string | undefined;
}
