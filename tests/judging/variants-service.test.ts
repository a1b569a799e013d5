import { testVariants } from './variants.ts';

testVariants('service');
