import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { refresh } from '../../bin/build.mjs';
import { inFolder } from '../../tests/shell.ts';
import { settingsOf } from '../settings/settings.ts';
import { Conductor } from './conductor.ts';

const KEY = 's3cret-Key-of-8';

test('what ends the thread of a run is told without the key', async () => {
  refresh();
  const conducting = new URL('../../dist/src/vitest/conducting.js', import.meta.url).href;
  await inFolder(async (folder) => {
    const file = join(folder, 'thread.mjs');
    writeFileSync(
      file,
      `import { conductWhenAsked } from '${conducting}';
      await conductWhenAsked([{ slug: 'list.answers' }], async () => []);
      setTimeout(() => { throw new Error('sent: Bearer ${KEY}'); });`,
    );
    const settings = settingsOf({ BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: KEY }, folder);
    const conductor = new Conductor(pathToFileURL(file), settings, []);
    const tests = new BroadcastChannel(conductor.channel);
    const told = await new Promise((resolve) => {
      tests.onmessage = ({ data }) => data.kind === 'broken' && resolve(data);
      tests.postMessage('requirements');
    });
    expect(told).toEqual({ kind: 'broken', message: 'sent: Bearer <API_KEY>' });
    tests.close();
    await conductor.close();
  });
});
