import { testBroken } from './broken.ts';

testBroken('create');
