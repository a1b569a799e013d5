import { testProperties } from '../judging/properties.ts';

testProperties(12);
