import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import { senderFrom } from '../src/http/senders.ts';
import type { Here } from './services/here.ts';

const run = promisify(execFile);

/**
 * A shell that parses curl lines. To start one for each line would take as long as to judge a
 * service.
 */
export class Shell {
  readonly #mark = randomUUID();
  readonly #child = spawn('sh', {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  readonly #waiting: ((printed: string | Error) => void)[] = [];
  #printed = '';

  constructor() {
    this.#child.stdin.write(`curl() { printf '%s\\0' "$@"; }\n`);
    this.#child.stdout.setEncoding('utf8').on('data', (text) => {
      const parts = (this.#printed + text).split(this.#mark);
      this.#printed = parts.pop() as string;
      for (const part of parts) this.#waiting.shift()?.(part);
    });
    // A line with a syntax error ends the shell.
    this.#child.on('close', () => {
      for (const settle of this.#waiting) settle(new Error('the shell could not read a line'));
    });
  }

  /** Returns the arguments of each request of a curl line, as the shell parses them. */
  async argumentsOf(line: string, apiKey: string): Promise<string[][]> {
    const printed = await new Promise<string | Error>((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin.write(
        `API_KEY=${quoted(apiKey)}\neval ${quoted(line)}\nprintf %s ${this.#mark}\n`,
      );
    });
    if (printed instanceof Error) throw printed;
    const requests: string[][] = [[]];
    for (const argument of printed.split('\0').slice(0, -1)) {
      if (argument === '--next') requests.push([]);
      else requests.at(-1)?.push(argument);
    }
    return requests;
  }

  close(): void {
    this.#child.stdin.end();
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the request that curl sends with these arguments. */
function requestOf(args: string[], origin: string) {
  const after = (flag: string) =>
    args.flatMap((argument, at) => (argument === flag ? [args[at + 1] as string] : []));
  const headers = Object.fromEntries(
    after('-H').map((header) => {
      const [, name = '', value = ''] = /^([^:;]+)(?:: |;)(.*)$/s.exec(header) ?? [];
      return [name, value];
    }),
  );
  const { 'transfer-encoding': chunked, ...others } = headers;
  const [body] = after('--data-binary');
  return {
    origin,
    method: (after('-X')[0] ?? 'GET') as 'GET' | 'POST',
    path: (args.at(-1) as string).slice(origin.length),
    headers: others,
    body: chunked && body !== undefined ? Readable.from([Buffer.from(body)]) : (body ?? null),
    signal: new AbortController().signal,
    onHead: () => Number.POSITIVE_INFINITY,
  };
}

/**
 * Returns the status of the last request of a curl line. A shell parses the line; the requests go
 * without curl.
 */
export async function statusOfCurl(
  line: string,
  { baseUrl, apiKey, makeSender }: Here,
  shell: Shell,
): Promise<number> {
  const connection = makeSender?.('lane 1') ?? senderFrom(new Agent({ connections: 1 }));
  let status = 0;
  for (const args of await shell.argumentsOf(line, apiKey)) {
    status = (await connection.request(requestOf(args, new URL(baseUrl).origin))).statusCode;
  }
  return status;
}

/** Returns the status of the last request of a line that curl itself runs. */
export async function statusByCurl(line: string, API_KEY: string): Promise<number> {
  const { stdout } = await run('sh', ['-c', line], { env: { PATH: process.env.PATH, API_KEY } });
  return Number([...stdout.matchAll(/HTTP\/1\.\d (\d{3})/g)].at(-1)?.[1]);
}
