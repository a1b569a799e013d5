import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { choices } from '../../docs/choices.ts';
import { renderServices } from '../../docs/render-proof.ts';
import { requirements } from '../../specs/index.ts';
import { brokenServices } from '../services/broken/index.ts';
import { deepServices } from '../services/deep/index.ts';
import { variants } from '../services/variants/index.ts';
import { measured } from './measured.ts';

test('the services of the proof are written to reports/proof.md', () => {
  const proof = { brokenServices, variants, deepServices, found: measured() };
  mkdirSync('reports', { recursive: true });
  writeFileSync('reports/proof.md', renderServices(requirements, choices, proof));
});
