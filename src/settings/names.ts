import { AsyncLocalStorage } from 'node:async_hooks';

/** Returns the name by which a caller gives the setting of a variable, such as a flag or a property. */
export type NameSetting = (variable: string) => string;

/** The names of the caller for whom something is being done. */
const caller = new AsyncLocalStorage<NameSetting>();

/** Calls an action. Sentences that are made meanwhile name each setting as the caller does. */
export const withNames = <T>(nameSetting: NameSetting, action: () => T): T =>
  caller.run(nameSetting, action);

/** Returns the name of the setting of a variable: that of the caller, otherwise the variable. */
export const nameOf: NameSetting = (variable) => caller.getStore()?.(variable) ?? variable;
