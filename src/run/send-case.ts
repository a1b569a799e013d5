import { type Case, isValidCase } from '../requirement/case.ts';
import type { BareResult } from './case-context.ts';
import { type SendOptions, sendNegativeCase } from './negative-cases.ts';
import { sendValidCase } from './valid-cases.ts';
import type { World } from './world.ts';

/** Sends one case. Throws ExcludedError if this key, user or service has no such variation. */
export function sendCase(
  world: World,
  testCase: Case,
  options: SendOptions = {},
): Promise<BareResult> {
  if (isValidCase(testCase)) return sendValidCase(world, testCase, options);
  return sendNegativeCase(world, testCase, options);
}
