import type { Right } from '../accounts/access/index.js';
import { apiDocument, type Schema } from '../docs/api-document.js';
import type { FieldProblem } from '../platform/index.js';
import { fenced } from './fence.js';

/** Returns an operation of the API by its method and path, such as `GET /api/v1/forms`. */
function operationOf(name: string) {
  const [method = '', path = ''] = name.split(' ');
  const operation = apiDocument().paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${name} is no operation of the API.`);
  return operation;
}

/** Returns the right that an operation needs; null for one that is open to everybody. */
export function rightOf(name: string): Right | null {
  return (operationOf(name)['x-right'] ?? null) as Right | null;
}

/**
 * Returns the schema of a place in an operation, with all that it refers to inside it.
 * @param place `path.identifier`, `query.q` or a member of the body, such as `body.form.name`
 */
export function schemaAt(name: string, place: string): Schema {
  const [where = '', ...path] = place.split('.');
  const { parameters = [], requestBody } = operationOf(name);
  if (where !== 'body') {
    const found = parameters.find((parameter) => parameter.in === where && parameter.name === path[0]);
    if (!found) throw new Error(`${name} has no ${place}.`);
    return { ...whole(found.schema ?? {}), ...(found.description && { description: found.description }) };
  }
  let schema = whole(requestBody?.content['application/json']?.schema ?? {});
  for (const member of path) {
    const inner = schema.properties?.[member];
    if (!inner) throw new Error(`${name} has no ${place}.`);
    schema = inner;
  }
  return schema;
}

/** Returns a schema with those that it names in their places, and without what only answers have. */
function whole(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { $ref, ...beside } = (value ?? {}) as Schema;
    if (beside.readOnly === true) return undefined;
    if (typeof $ref !== 'string') return value;
    return { ...whole(apiDocument().components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...beside };
  }) as Schema;
}

/** Answer of the API that is an error. */
export class ProblemAnswered extends Error {
  constructor(status: number, body: unknown) {
    const {
      message,
      detail = message ?? 'It was refused.',
      errors = [],
    } = (body ?? {}) as Partial<Record<'message' | 'detail', string>> & { errors?: FieldProblem[] };
    const fields = errors.flatMap((each) => (each.field ? [{ field: each.field, message: each.message }] : []));
    // It can name fields and texts of a form, which others wrote.
    super(fenced({ status, detail, ...(fields.length > 0 && { fields }) }));
  }
}

/** Returns the request that calls an operation with values for its places. */
export function requestOf(name: string, values: Readonly<Record<string, unknown>>) {
  const [method = '', path = ''] = name.split(' ');
  const query = new URLSearchParams();
  let url = path;
  let body: unknown;
  for (const [place, value] of Object.entries(values)) {
    const [where, ...members] = place.split('.');
    const key = members.join('.');
    if (where === 'path') url = url.replace(`{${key}}`, encodeURIComponent(String(value)));
    else if (where === 'query') query.set(key, String(value));
    else body = withMember(body, members, value);
  }
  return { method, url: query.size > 0 ? `${url}?${query.toString()}` : url, body };
}

function withMember(body: unknown, [member, ...inner]: readonly string[], value: unknown): unknown {
  if (member === undefined) return value;
  const known = (body ?? {}) as Record<string, unknown>;
  return { ...known, [member]: withMember(known[member], inner, value) };
}
