import { dearFloods, testFloods } from '../judging/bounds.ts';

testFloods(dearFloods);
