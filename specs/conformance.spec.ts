import { afterAll, inject } from 'vitest';
import { startReference } from '../reference/service.ts';
import { registerRun } from '../src/vitest/register.ts';

// The settings are those of vitest.config.ts: in a worker Vitest has put its own BASE_URL in the environment's place.
const { target, ...input } = inject('conformance');
const embedded = target ? undefined : await startReference();
afterAll(() => embedded?.close());

registerRun(
  () => ({
    ...input,
    target: target ?? (embedded as NonNullable<typeof embedded>),
    isEmbedded: target === undefined,
  }),
  {
    atEnd: (result, file) => {
      file.meta.conformance = result;
    },
  },
);
