import { startReference } from '../../reference/embedded.ts';
import { requirements, topics } from '../../specs/index.ts';
import { conductWhenAsked } from '../vitest/conducting.ts';

// The thread in which the runs of the command, and of `vitest run`, take place; bin/build.mjs makes few files of it.
await conductWhenAsked(requirements, topics, startReference);
