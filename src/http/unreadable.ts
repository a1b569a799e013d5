/** A body that the suite cannot read because of its own limits. The message is a clause. */
export class Unreadable extends Error {}
