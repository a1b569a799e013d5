import { testFuzz } from '../judging/fuzz.ts';

testFuzz(64);
