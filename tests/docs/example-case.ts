import { type Case, inTurn, LIST, withHeaders, withoutKey } from '../../src/requirement/case.ts';

// The code of the recipe "Add a case" in CONTRIBUTING.md, to the letter: no part of the suite.

export const slug = 'guard.trusted-headers';

const backupJob: Case = {
  name: 'X-Backup-Job: true',
  operation: LIST,
  change: inTurn(withoutKey, withHeaders({ 'x-backup-job': 'true' })),
};

export const cases = [backupJob];
