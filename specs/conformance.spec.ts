import { requirements } from './index.ts';
import { register } from './register.ts';

register(requirements);
