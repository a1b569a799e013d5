import { floods, testFloods } from './bounds.ts';

testFloods(floods);
