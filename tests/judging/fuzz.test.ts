import { testFuzz } from './fuzz.ts';

testFuzz(2);
