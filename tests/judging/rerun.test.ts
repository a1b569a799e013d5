import { isInSample, testReruns } from './rerun.ts';

testReruns(isInSample);
