/** Makes dist/ of the sources where it is not already made of them, as they are now. Throws an error of one sentence. */
export function refresh(): Promise<void>;
