import { testBroken } from './broken.ts';

testBroken('guard');
