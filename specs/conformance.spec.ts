import { register } from '../src/vitest/register.ts';
import { requirements } from './index.ts';

register(requirements);
