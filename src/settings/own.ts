/** Returns a copy without a prototype, so that a polluted Object.prototype adds no properties. */
export const ownOnly = <T extends object>(given: T): T => Object.assign(Object.create(null), given);
