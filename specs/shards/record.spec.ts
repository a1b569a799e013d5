import { requirements } from '../index.ts';
import { register } from '../register.ts';

// What judges the record of all requests needs a whole run before it.
register(
  requirements.filter(({ phase }) => phase === 'end'),
  requirements.filter(({ phase }) => phase !== 'end'),
);
