import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

export const OPENAPI = new URL('../schemas/openapi.yaml', import.meta.url);

/** An answer to one request; `body` is the parsed JSON, undefined where there is none. */
export interface Answered {
  method: string;
  /** Behind the base address, without the query. */
  path: string;
  status: number;
  body: unknown;
  /** Why the body is no JSON. */
  fault?: string | undefined;
}

interface Reference {
  $ref: string;
}

interface Answers {
  content?: { 'application/json'?: { schema?: object } };
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Answers | Reference> }>>;
  components: { responses: Record<string, Answers>; schemas: Record<string, object> };
}

export const { paths, components }: Document = parse(readFileSync(OPENAPI, 'utf8'));
const operationsAt = Object.entries(paths).map(([template, operations]) => ({
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  operations,
}));
const ajv = new Ajv2020({ strictRequired: false, keywords: ['components'] });
const compiled = new Map<object, ValidateFunction>();

const ANYTHING = {};

/**
 * Why an answer does not fit the OpenAPI document; undefined where it does, or where it is to none of the operations.
 */
export function misfit({ method, path, status, body, fault }: Answered): string | undefined {
  const { operations } = operationsAt.find(({ pattern }) => pattern.test(path)) ?? {};
  const responses = operations?.[method.toLowerCase()]?.responses;
  if (responses === undefined) return undefined;
  const response = responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
  const { content } = resolve(response);
  if (content === undefined || (body === undefined && fault === undefined)) return undefined;
  // The media type is a SHOULD: a JSON value fits or does not, whatever its type says.
  const why = fault ?? schemaFault(content['application/json']?.schema ?? ANYTHING, body);
  return why && `${method} ${path} → ${status}: ${why}`;
}

function resolve(response: Answers | Reference | undefined): Answers {
  if (response === undefined || !('$ref' in response)) return response ?? {};
  return components.responses[response.$ref.replace('#/components/responses/', '')] ?? {};
}

function schemaFault(schema: object, body: unknown): string | undefined {
  const validate =
    compiled.get(schema) ?? ajv.compile({ ...schema, components: { schemas: components.schemas } });
  compiled.set(schema, validate);
  return validate(body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
}
