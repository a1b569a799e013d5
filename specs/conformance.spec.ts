import { registerTold } from '../src/vitest/told-tests.ts';

// A thread judges the requirements of index.ts, and begins while Vitest is loading: see src/cli/thread.ts.
await registerTold();
