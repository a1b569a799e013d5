import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge } from '../../src/api/judge.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder } from '../shell.ts';

// What a run says of its list is in reports.test.ts, and in docs/examples.test.ts.

test('the failures of one run, listed, do not fail the next', async () => {
  const { baseUrl, apiKey, close } = await start(
    brokenBy('total is a string'),
    brokenBy('no Location'),
  );
  await inFolder(async (folder) => {
    const known = join(folder, 'known.json');
    const first = await judge({ baseUrl, apiKey, settleMs: 200 });
    expect(first.verdict).toBe('non-conformant');
    const failed = first.requirements.filter(({ outcome }) => outcome === 'failed');
    writeFileSync(known, JSON.stringify(failed.map(({ id, reason }) => ({ slug: id, reason }))));
    const second = await judge({
      baseUrl,
      apiKey,
      settleMs: 200,
      knownFailures: known,
      strict: true,
    });
    expect(second.verdict).toBe('conformant');
    const accepted = second.requirements
      .filter(({ outcome }) => outcome === 'known-failure')
      .map(({ id }) => id);
    expect(accepted.sort()).toEqual(['create.location', 'list.total-integer']);
  }).finally(close);
});
