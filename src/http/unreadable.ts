/** A body that the suite cannot read because of a limit of its own. The message is a clause. */
export class Unreadable extends Error {}
