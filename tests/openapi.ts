import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

export const OPENAPI = new URL('../schemas/openapi.yaml', import.meta.url);

/** A request and its response. `body` is the parsed JSON; undefined if there is none. */
export interface ReadResponse {
  method: string;
  /** The path behind the base address, without the query. */
  path: string;
  status: number;
  body: unknown;
  /** The reason why the body is not JSON. */
  fault?: string | undefined;
}

interface Reference {
  $ref: string;
}

interface ResponseObject {
  content?: { 'application/json'?: { schema?: object } };
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, ResponseObject | Reference> }>>;
  components: { responses: Record<string, ResponseObject>; schemas: Record<string, object> };
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
 * Returns the reason why a response does not match the OpenAPI document. Returns undefined if it
 * matches, or if the request is none of the operations.
 */
export function misfit({ method, path, status, body, fault }: ReadResponse): string | undefined {
  const { operations } = operationsAt.find(({ pattern }) => pattern.test(path)) ?? {};
  const responses = operations?.[method.toLowerCase()]?.responses;
  if (responses === undefined) return undefined;
  const response = responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
  const { content } = resolve(response);
  if (content === undefined || (body === undefined && fault === undefined)) return undefined;
  // The media type is only a SHOULD, so the schema applies to any JSON value.
  const reason = fault ?? schemaFault(content['application/json']?.schema ?? ANYTHING, body);
  return reason && `${method} ${path} → ${status}: ${reason}`;
}

function resolve(response: ResponseObject | Reference | undefined): ResponseObject {
  if (response === undefined || !('$ref' in response)) return response ?? {};
  return components.responses[response.$ref.replace('#/components/responses/', '')] ?? {};
}

function schemaFault(schema: object, body: unknown): string | undefined {
  const validate =
    compiled.get(schema) ?? ajv.compile({ ...schema, components: { schemas: components.schemas } });
  compiled.set(schema, validate);
  return validate(body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
}
