import { type Case, isValidCase } from '../requirement/case.ts';
import type { SentCase } from './case-context.ts';
import { type SendOptions, sendNegativeCase } from './negative-cases.ts';
import { sendValidCase } from './valid-cases.ts';
import type { World } from './world.ts';

/** Sends one case. Throws Excluded if it can't be made of this key, user or service. */
export function sendCase(world: World, one: Case, options: SendOptions = {}): Promise<SentCase> {
  return isValidCase(one) ? sendValidCase(world, one) : sendNegativeCase(world, one, options);
}
