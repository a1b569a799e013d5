/** Returns a copy of own properties without a prototype: a polluted Object.prototype supplies nothing. */
export const ownOnly = <T extends object>(given: T): T => Object.assign(Object.create(null), given);
