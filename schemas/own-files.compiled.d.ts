import type { Validation } from './user-list.ts';

export const knownFailures: Validation;
export const report: Validation;
export const run: Validation;
