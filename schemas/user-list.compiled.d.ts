import type { Validation } from './user-list.ts';

export const userList: Validation;
export const data: Validation;
export const total: Validation;
export const users: Validation;
