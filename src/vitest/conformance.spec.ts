import { afterAll, inject } from 'vitest';
import { startReference } from '../../reference/service.ts';
import { registerRun } from './register.ts';

// The settings come from vitest.config.ts, because Vitest sets BASE_URL itself in the environment
// of a worker.
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
