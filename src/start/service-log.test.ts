import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { secretsOf } from '../http/secrets.ts';
import { SettingsError } from '../settings/errors.ts';
import { serviceLog } from './service-log.ts';

const KEY = 'Log-test_key.4711';

/** What a service prints in these parts: the text of its log, and what is shown of its end. */
async function logged(
  parts: Iterable<string>,
  folder: string,
): Promise<{ text: string; last: string[] }> {
  const log = serviceLog(folder, secretsOf({ apiKey: KEY }).redact);
  const output = Readable.from(
    (function* () {
      for (const part of parts) yield Buffer.from(part);
    })(),
  );
  log.take(output);
  await finished(output);
  await new Promise((closed) => (output.closed ? closed(0) : output.once('close', closed)));
  log.close();
  return { text: readFileSync(join(folder, 'service.log'), 'utf8'), last: log.last() };
}

const MEBIBYTE = 1024 * 1024;

function* times(count: number, part: string): Generator<string> {
  for (let index = 0; index < count; index += 1) yield part;
}

test('what comes in parts is written by lines, without the key, and harmless to a terminal', async () => {
  await inFolder(async (folder) => {
    const parts = [
      'one\r\ntw',
      'o\nkey ',
      KEY.slice(0, 5),
      `${KEY.slice(5)} \u001b]0;title\u0007\u009b2J`,
      '\u202e\nlast',
    ];
    const lines = ['one', 'two', 'key <API_KEY> \\u001b]0;title\\u0007\\u009b2J\\u202e', 'last'];
    const { text, last } = await logged(parts, folder);
    expect(text).toBe(`${lines.join('\n')}\n`);
    expect(last).toEqual(lines);
  });
});

test('a line of 100 MB is cut as it comes', async () => {
  await inFolder(async (folder) => {
    const { text, last } = await logged(
      [...times(100, 'x'.repeat(MEBIBYTE)), '\nthe end\n'],
      folder,
    );
    const [first = '', ...others] = text.split('\n');
    expect(first).toMatch(/^x{1000,10000}…$/);
    expect(others).toEqual(['the end', '']);
    expect(last.at(-1)).toBe('the end');
  });
});

test('the file takes 16 MiB, whatever is printed, and the last lines are known all the same', async () => {
  await inFolder(async (folder) => {
    const lines = `${'a long line '.repeat(40)}\n\u001b\n`.repeat(MEBIBYTE / 512);
    const { text, last } = await logged([...times(40, lines), 'the end\n'], folder);
    expect(statSync(join(folder, 'service.log')).size).toBeLessThanOrEqual(16 * MEBIBYTE);
    expect(text).toMatch(/\n… \(more than 16 MiB: the rest is left out\)\n$/);
    expect(last.at(-1)).toBe('the end');
  });
});

test('nothing is written through a link or a pipe', async () => {
  await inFolder(async (folder) => {
    const [file, other] = [join(folder, 'service.log'), join(folder, 'other')];
    writeFileSync(other, 'kept');
    symlinkSync(other, file);
    expect((await logged(['one\n'], folder)).text).toBe('one\n');
    expect([readFileSync(other, 'utf8'), lstatSync(file).isFile()]).toEqual(['kept', true]);
    execFileSync('rm', [file]);
    execFileSync('mkfifo', [file]);
    expect((await logged(['two\n'], folder)).text).toBe('two\n');
  });
});

test('where a folder has its name, one sentence says so', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'service.log'));
    const make = () => serviceLog(folder, secretsOf({ apiKey: KEY }).redact);
    expect(make).toThrow(SettingsError);
    expect(make).toThrow(
      /service\.log can't be written \(\w+\): remove it, or set CONFORMANCE_REPORT_DIR\.$/,
    );
  });
});
