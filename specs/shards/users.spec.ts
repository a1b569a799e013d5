import { register } from '../../src/vitest/register.ts';
import { requirements } from '../index.ts';

register(
  requirements.filter(({ phase, slug }) => phase !== 'end' && /^(list|create|retrieve|round-trip)\./.test(slug)),
);
