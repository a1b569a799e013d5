import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { secretsOf } from '../http/secrets.ts';
import { SettingsError } from '../settings/errors.ts';
import { openServiceLog } from './service-log.ts';

const KEY = 'Log-test_key.4711';

/** Logs output that comes in parts. Returns the text of the file and the lines for a terminal. */
async function logOutput(
  parts: Iterable<string>,
  folder: string,
): Promise<{ text: string; last: string[] }> {
  const log = openServiceLog(folder, secretsOf({ apiKey: KEY }).redact);
  const output = Readable.from(
    (function* () {
      for (const part of parts) yield Buffer.from(part);
    })(),
  );
  log.follow([output]);
  await finished(output);
  if (!output.closed) await once(output, 'close');
  log.close();
  return { text: readFileSync(join(folder, 'service.log'), 'utf8'), last: log.lastLines() };
}

const MEBIBYTE = 1024 * 1024;

function* repeat(count: number, part: string): Generator<string> {
  for (let index = 0; index < count; index += 1) yield part;
}

test('output in parts is written in lines, without the key and control characters', async () => {
  await inFolder(async (folder) => {
    const parts = [
      'one\r\ntw',
      'o\nkey ',
      KEY.slice(0, 5),
      `${KEY.slice(5)} \u001b]0;title\u0007\u009b2J`,
      '\u202e\nlast',
    ];
    const lines = ['one', 'two', 'key <API_KEY> \\u001b]0;title\\u0007\\u009b2J\\u202e', 'last'];
    const { text, last } = await logOutput(parts, folder);
    expect(text).toBe(`${lines.join('\n')}\n`);
    expect(last).toEqual(lines);
  });
});

test('a line of 100 MB is cut', async () => {
  await inFolder(async (folder) => {
    const { text, last } = await logOutput(
      [...repeat(100, 'x'.repeat(MEBIBYTE)), '\nthe end\n'],
      folder,
    );
    const [first = '', ...rest] = text.split('\n');
    expect(first).toMatch(/^x{1000,10000}…$/);
    expect(rest).toEqual(['the end', '']);
    expect(last.at(-1)).toBe('the end');
  });
});

test('the file ends at 16 MiB, and the terminal still gets the last lines', async () => {
  await inFolder(async (folder) => {
    const lines = `${'a long line '.repeat(40)}\n\u001b\n`.repeat(MEBIBYTE / 512);
    const { text, last } = await logOutput([...repeat(40, lines), 'the end\n'], folder);
    expect(statSync(join(folder, 'service.log')).size).toBeLessThanOrEqual(16 * MEBIBYTE);
    expect(text).toMatch(/\n… \(more than 16 MiB: the rest is left out\)\n$/);
    expect(last.at(-1)).toBe('the end');
  });
});

test('a link or a pipe is replaced by a file', async () => {
  await inFolder(async (folder) => {
    const file = join(folder, 'service.log');
    const other = join(folder, 'other');
    writeFileSync(other, 'kept');
    symlinkSync(other, file);
    expect((await logOutput(['one\n'], folder)).text).toBe('one\n');
    expect(readFileSync(other, 'utf8')).toBe('kept');
    expect(lstatSync(file).isFile()).toBe(true);
    execFileSync('rm', [file]);
    execFileSync('mkfifo', [file]);
    expect((await logOutput(['two\n'], folder)).text).toBe('two\n');
  });
});

test('a folder of that name is an error of one sentence', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'service.log'));
    const open = () => openServiceLog(folder, secretsOf({ apiKey: KEY }).redact);
    expect(open).toThrow(SettingsError);
    expect(open).toThrow(
      /service\.log can't be written \(illegal operation on a directory\): remove it, or set CONFORMANCE_REPORT_DIR\.$/,
    );
  });
});

const GO_ROUTINE = `
goroutine 7 [running]:
main.(*server).list(0xc0000, {0x1, 0x2})
\t/app/service.go:31 +0x85
created by net/http.(*Server).Serve in goroutine 1`;

test.each([
  ['Node', 'TypeError: gone', '    at handle (file:///app/service.mjs:3:7)'],
  ['Java', 'Caused by: java.net.BindException: in use', '\tat sun.nio.ch.Net.bind(Net.java:1)'],
  ['Ruby', "app.rb:3:in 'list': gone (NameError)", "\tfrom app.rb:3:in '<main>'"],
  ['.NET', 'Unhandled exception. gone', '   at App.Run() in Program.cs:line 1'],
  ['PHP', 'PHP Fatal error:  Uncaught Error: gone', '#1 {main}'],
  ['Go', 'fatal error: concurrent map writes', GO_ROUTINE],
  ['Docker Compose', 'api-1  | Error: gone', 'api-1  |     at list (app.mjs:1)'],
])('the last lines hold the error above a long stack trace of %s', async (_, error, frame) => {
  await inFolder(async (folder) => {
    const stack = `${frame}\n`.repeat(30);
    const { text, last } = await logOutput([`listening\n${error}\n${stack}the end\n`], folder);
    const [first, second] = stack.split('\n').filter((line) => line !== '');
    expect(last).toEqual(['listening', error, first, second, '    …', 'the end']);
    expect(text).toContain(stack);
  });
});

test('the last lines are those of the last process', async () => {
  await inFolder(async (folder) => {
    const log = openServiceLog(folder, secretsOf({ apiKey: KEY }).redact);
    for (const lines of ['one\n', '']) {
      const output = Readable.from([Buffer.from(lines)]);
      log.follow([output]);
      await once(output, 'close');
    }
    log.close();
    expect(log.lastLines()).toEqual([]);
    expect(readFileSync(join(folder, 'service.log'), 'utf8')).toBe('one\n');
  });
});
