import { register } from '../../src/vitest/register.ts';
import { requirements } from '../index.ts';

register(requirements.filter(({ phase, slug }) => phase !== 'end' && /^(versioning|authentication|http)\./.test(slug)));
