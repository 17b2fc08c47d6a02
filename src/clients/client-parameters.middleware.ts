import { text, type NextFunction, type Request, type Response } from 'express';
import { API_BODY_LIMIT_BYTES } from '../platform/http/index.js';
import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';

const NAME = /^client\[(\w+)\](?:\[\d*\])?$/;
const LIST = 'form_ids';

/** The fields of a client as they were sent in bracketed form, not yet checked. */
interface ClientParameters {
  client: Record<string, unknown>;
}

/**
 * Reads `client[name]=…&client[form_ids]=[1,2]` from a query string or a urlencoded body. General bracket parsers turn
 * a list of more than 20 into an object and know no `[1,2]`, so this one knows just the contract's parameters. Ids may
 * come as `[1,2]`, `1,2`, `client[form_ids][]=1` repeated, `client[form_ids][0]=1`, or `client[form_ids]=1` repeated. A
 * parameter of another name is kept under that name, for the validation to refuse.
 * @param text without the leading question mark
 * @returns null when no parameter is there at all
 */
export function parseClientParameters(text: string): ClientParameters | null {
  const parameters = [...new URLSearchParams(text)];
  if (parameters.length === 0) return null;
  const client = new Map<string, unknown>();
  const others = new Map<string, unknown>();
  const ids: unknown[] = [];
  for (const [name, value] of parameters) {
    const field = NAME.exec(name)?.[1];
    if (field === LIST) {
      ids.push(...readList(value));
      client.set(LIST, ids);
    } else if (field === undefined) others.set(name, value);
    else client.set(field, readFlag(field, value));
  }
  return { ...Object.fromEntries(others), client: Object.fromEntries(client) };
}

function readList(value: string): unknown[] {
  const inner = value.trim().replace(/^\[(.*)\]$/s, '$1');
  const parts = inner.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part));
}

/** Turns the text of the one field that is a flag into a boolean; returns other text as it is. */
function readFlag(field: string, value: string): unknown {
  if (field !== 'can_create_forms') return value;
  return /^(true|1)$/i.test(value) || (/^(false|0)$/i.test(value) ? false : value);
}

const URLENCODED = 'application/x-www-form-urlencoded';

/** Reads a urlencoded body as text; `clientParameters` makes sense of it. */
export const urlencodedText = text({ type: URLENCODED, limit: API_BODY_LIMIT_BYTES });

/**
 * Brings the three ways to send a client into one: bracketed parameters in the query string or in a urlencoded body
 * become the body that JSON callers send. The query string comes first, being the contract's way.
 */
export function clientParameters(request: Request, _: Response, next: NextFunction) {
  const body: unknown = request.body;
  const [, query = ''] = request.originalUrl.split(/\?(.*)/s);
  const sent = parseClientParameters(query) ?? (typeof body === 'string' ? (parseClientParameters(body) ?? {}) : null);
  if (sent) request.body = sent;
  next();
}

/** Describes the bracketed parameters, which no DTO can: they are read before the framework sees them. */
export const ClientParametersInQuery = () =>
  applyDecorators(
    ApiQuery({ name: 'client[name]', required: false, schema: { type: 'string' } }),
    ApiQuery({ name: 'client[email]', required: false, schema: { type: 'string', format: 'email' } }),
    ApiQuery({ name: 'client[can_create_forms]', required: false, schema: { type: 'boolean' } }),
    ApiQuery({
      name: 'client[form_ids]',
      required: false,
      description: 'Ids of forms: `[1,2]`, `1,2`, or `client[form_ids][]` or `client[form_ids][0]` for each.',
      schema: { type: 'string', examples: ['[1,2]'] },
    }),
  );
