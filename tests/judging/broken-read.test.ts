import { testBroken } from './broken.ts';

testBroken('read');
