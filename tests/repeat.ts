import { execFile, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Readable, type Writable } from 'node:stream';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import pLimit from 'p-limit';
import { Agent } from 'undici';
import { type Sender, senderFrom } from '../src/http/senders.ts';
import type { Here } from './services/here.ts';

const run = promisify(execFile);

/** A response that a line has got; the status is 0 if there was none. */
export interface Repeated {
  status: number;
  body: string;
}

type Stdio = [stdin: Writable, stdout: null, stderr: null, messages: Readable, answers: Writable];

const NONE: Repeated = { status: 0, body: '' };

/** Ends each message of the shell. */
const END = '\0end\0';

/** Tells the test what a command does, and prints what the test answers. */
const STUBS = `
ask() { printf '%s\\0' "$@" end >&3; IFS= read -r answer <&4; printf '%b' "$answer"; }
curl() { ask curl "$@"; }
node() { if [ "$1" = -p ]; then ask node "$2" "$(cat)"; else ask script "$2"; fi; }
tee() { cat; }
`;

/**
 * A shell that runs the lines by which reports repeat failures. It has curl and Node in this
 * process: to start one for each line would take as long as to judge a service.
 */
export class Shell {
  readonly #child = spawn('sh', {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'inherit', 'pipe', 'pipe'],
  });
  readonly #oneByOne = pLimit(1);
  #message = '';
  #answer: (words: string[]) => Promise<string> = async () => '';
  #end: (error?: Error) => void = () => undefined;

  constructor() {
    this.#child.stdin?.write(STUBS);
    const [, , , messages, answers] = this.#child.stdio as Stdio;
    messages.setEncoding('utf8').on('data', async (text) => {
      this.#message += text;
      if (!this.#message.endsWith(END)) return;
      const words = this.#message.slice(0, -END.length).split('\0');
      this.#message = '';
      const isDone = words[0] === 'done';
      answers.write(`${isDone ? '' : escaped(await this.#answer(words))}\n`);
      if (isDone) this.#end();
    });
    // A line with a syntax error ends the shell.
    this.#child.on('close', () => this.#end(new Error('the shell could not read a line')));
  }

  /** Returns the responses to the requests of some lines, which run one after the other. */
  run(lines: readonly string[], service: Here, timeoutMs: number): Promise<Repeated[]> {
    return this.#oneByOne(async () => {
      const repeated: Repeated[] = [];
      this.#answer = async ([command, ...words]) => {
        const [script = '', input = ''] = words;
        if (command === 'script') return evaluate(script, '', service.apiKey).written;
        if (command === 'node') return `${evaluate(script, input, service.apiKey).value}\n`;
        const requests = splitAt(words, '--next');
        const sender = service.makeSender?.('lane 1') ?? senderFrom(new Agent({ connections: 1 }));
        const responses: string[] = [];
        for (const args of requests) {
          const response = await send(args, service, sender, timeoutMs);
          repeated.push(response);
          const head = args.includes('-i')
            ? `HTTP/1.1 ${response.status}\n${response.head}\n\n`
            : '';
          responses.push(head + response.body);
        }
        await sender.destroy();
        return responses.join('');
      };
      const variables = `API_KEY=${quoted(service.apiKey)}`;
      const commands = lines.map((line) => `eval ${quoted(line)}`);
      await new Promise<void>((resolve, reject) => {
        this.#end = (error) => (error ? reject(error) : resolve());
        this.#child.stdin?.write([variables, ...commands, 'ask done </dev/null\n'].join('\n'));
      });
      return repeated;
    });
  }

  close(): void {
    this.#end = () => undefined;
    this.#child.stdin?.end();
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a text for `printf %b`. */
const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');

function splitAt(words: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === separator) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts;
}

/** Runs a script as Node does, with this input. */
function evaluate(script: string, input: string, API_KEY: string) {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const own = createRequire(import.meta.url);
  const require = (name: string) => (name === 'fs' ? { readFileSync: () => input } : own(name));
  const process = { env: { API_KEY }, stdout: { write } };
  try {
    return { value: runInNewContext(script, { require, process, Buffer, btoa }), written };
  } catch {
    // Node prints an error instead, and the variable is empty.
    return { value: '', written: '' };
  }
}

async function send(
  args: string[],
  { baseUrl }: Here,
  sender: Sender,
  timeoutMs: number,
): Promise<Repeated & { head: string }> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = requestOf(args, new URL(baseUrl).origin, signal);
    const { statusCode: status, headers, body } = await sender.request(request);
    const pairs = headers.flatMap((text, at) =>
      at % 2 === 0 ? [`${text}: ${headers[at + 1]}`] : [],
    );
    return { status, head: pairs.join('\n'), body: body.toString('utf8') };
  } catch {
    return { ...NONE, head: '' };
  }
}

/** Returns the request that curl sends with these arguments. */
function requestOf(args: string[], origin: string, signal: AbortSignal) {
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
  const [target = (args.at(-1) as string).slice(origin.length)] = after('--request-target');
  return {
    origin,
    method: (after('-X')[0] ?? 'GET') as 'GET' | 'POST',
    path: target,
    headers: { 'user-agent': 'curl/8.14.1', ...others },
    body: chunked && body !== undefined ? Readable.from([Buffer.from(body)]) : (body ?? null),
    signal,
    onHead: () => Number.POSITIVE_INFINITY,
  };
}

/** Returns the status of the last response to lines that a shell and curl run. */
export async function statusByCurl(lines: readonly string[], API_KEY: string): Promise<number> {
  const script = lines.join('\n');
  const env = { PATH: process.env.PATH, API_KEY };
  const { stdout, stderr } = await run('sh', ['-c', script], { env });
  return Number([...(stdout || stderr).matchAll(/HTTP\/1\.\d (\d{3})/g)].at(-1)?.[1]);
}
