import { requirements } from '../index.ts';
import { register } from '../register.ts';

register(
  requirements.filter(({ phase, slug }) => phase !== 'end' && /^(list|create|retrieve|round-trip)\./.test(slug)),
);
