import { AsyncLocalStorage } from 'node:async_hooks';

/** Returns the name by which a caller sets a variable: a flag, a property or the variable. */
export type NameSetting = (variable: string) => string;

const callerNames = new AsyncLocalStorage<NameSetting>();

/** Calls an action, in which `nameOf` returns the names of this caller. */
export function withNames<T>(nameSetting: NameSetting, action: () => T): T {
  return callerNames.run(nameSetting, action);
}

/** Returns the name that the current caller has for a variable. Error messages use it. */
export const nameOf: NameSetting = (variable) => callerNames.getStore()?.(variable) ?? variable;
