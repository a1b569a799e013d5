import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import type { Here } from './services/here.ts';

const run = promisify(execFile);

/** What a shell makes of a curl line: the arguments of each request. */
async function argumentsOf(line: string, API_KEY: string): Promise<string[][]> {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env.PATH, API_KEY } });
  const all: string[][] = [[]];
  for (const one of stdout.split('\0').slice(0, -1)) {
    if (one === '--next') all.push([]);
    else all.at(-1)?.push(one);
  }
  return all;
}

/** The request that arguments of curl send. */
function requestOf(args: string[], origin: string) {
  const after = (flag: string) => args.flatMap((one, at) => (one === flag ? [args[at + 1] as string] : []));
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
  };
}

/** The status that a service answers to the last request of a curl line. The line is read by a shell, and sent without curl. */
export async function statusOfCurl(line: string, { baseUrl, apiKey, dispatchers }: Here): Promise<number> {
  const connection = dispatchers?.single() ?? new Agent({ connections: 1 });
  let status = 0;
  for (const args of await argumentsOf(line, apiKey)) {
    const answer = await connection.request(requestOf(args, new URL(baseUrl).origin));
    for await (const _ of answer.body);
    status = answer.statusCode;
  }
  return status;
}

/** The same by curl itself. */
export async function statusByCurl(line: string, API_KEY: string): Promise<number> {
  const { stdout } = await run('sh', ['-c', line], { env: { PATH: process.env.PATH, API_KEY } });
  return Number([...stdout.matchAll(/HTTP\/1\.\d (\d{3})/g)].at(-1)?.[1]);
}
