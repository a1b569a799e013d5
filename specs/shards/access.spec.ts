import { requirements } from '../index.ts';
import { register } from '../register.ts';

register(requirements.filter(({ phase, slug }) => phase !== 'end' && /^(versioning|authentication|http)\./.test(slug)));
