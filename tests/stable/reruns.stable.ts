import { isInSample, testReruns } from '../judging/rerun.ts';

testReruns((service) => !isInSample(service));
