import type { SchemaFault } from '../../schemas/fault.ts';
import { isNumber, isObject, show } from '../http/value.ts';

/** What came where a list is not as it must be: `total is "0", a string`, or `data[0] has no name`. */
export function listFaultText(json: unknown, { pointer, missing }: SchemaFault): string {
  const steps = pointer.split('/').slice(1);
  const value = steps.reduce<unknown>((outer, step) => (outer as Record<string, unknown>)[step], json);
  const name = steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
  if (missing !== undefined) return `${name || 'the body'} has no ${missing}`;
  return `${name || 'the body'} is ${show(value)}${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return ', a string';
  if (isNumber(value)) return ', a number';
  if (Array.isArray(value)) return ', an array';
  return isObject(value) ? ', an object' : '';
}
