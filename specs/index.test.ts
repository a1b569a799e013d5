import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements } from './index.ts';

test('the requirements of each kind of slug are tested by hand-made evidence', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const calls = files.map(
    (name) => /^allHaveBoth\((.*)\);$/m.exec(readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))?.[1],
  );
  const tested = calls.flatMap((names) => names?.split(', ').map((name) => name.slice(1, -1)) ?? []);
  const kinds = new Set(requirements.map(({ slug }) => slug.split('.')[0]));
  expect(tested.sort()).toEqual([...kinds].sort());
});
