import { register } from '../src/vitest/register.ts';
import { requirements, topics } from './index.ts';

register(requirements, topics);
