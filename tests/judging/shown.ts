import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';

export const KEY = 'example-secret-4711-Zq8';

/** Other encodings of the key, for `npm run test:thorough`: each takes seconds. */
export const otherForms = [
  Buffer.from(KEY).toString('base64').replace(/=+$/, ''),
  [...KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
  Buffer.from(KEY).toString('hex'),
];

/** Expects that no report shows half of a key that a service sends in one of these forms. */
export function testForms(forms: readonly string[]): void {
  test.concurrent.for(forms)(
    'wherever a text is cut, no half of the key stays that was written as %s',
    async (form) => {
      const halves = [
        form.slice(0, Math.ceil(form.length / 2)),
        form.slice(Math.floor(form.length / 2)),
      ];
      let filled = 0;
      // The length before the key varies, so that each text is cut within the key at times.
      const around = (from: number) => {
        filled += 1;
        return `${'x'.repeat(from + (filled % form.length))}${form}${'y'.repeat(30_000)}`;
      };
      const service = await startHere((patched) => {
        patched.key = KEY;
        patched.record = ({ id, email }) => ({
          id,
          email,
          name: around(280 - form.length),
          [around(90 - form.length)]: 1,
        });
        patched.refuse = () => ({
          status: 200,
          headers: { 'x-more': around(990 - form.length) },
          body: around(1990 - form.length),
        });
        patched.missing = () => ({
          status: 200,
          body: { email: around(280 - form.length), name: around(100 - form.length) },
        });
        patched.created = (user) => ({
          status: 201,
          headers: { location: `/elsewhere/${around(280 - form.length).slice(0, 2000)}` },
          body: patched.record(user),
        });
      });
      const run = await judgeKept(service).finally(service.close);
      expect(run.slugs('failed').length).toBeGreaterThan(5);
      const text = JSON.stringify(run);
      for (const half of halves) expect(text).not.toContain(half);
    },
  );
}
