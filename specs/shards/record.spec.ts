import { register } from '../../src/vitest/register.ts';
import { requirements } from '../index.ts';

// What judges the record of all requests needs a whole run before it.
register(
  requirements.filter(({ phase }) => phase === 'end'),
  requirements.filter(({ phase }) => phase !== 'end'),
);
