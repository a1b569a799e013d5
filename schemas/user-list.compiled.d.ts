import type { ValidateFunction } from 'ajv';

export const userList: ValidateFunction;
export const data: ValidateFunction;
export const total: ValidateFunction;
export const users: ValidateFunction;
