import { testBroken } from './broken.ts';

testBroken('http');
