import { otherForms, testForms } from '../judging/shown.ts';

testForms(otherForms);
