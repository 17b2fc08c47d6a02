import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { problemCodes, type ProblemKind } from './problems.js';
import { placeOf, TAGS, tagOf } from './tags.js';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
type SharedResponses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const PROBLEM = 'application/problem+json';
/** The intake's route. Its errors have another shape, with codes in capitals. */
const SUBMIT = 'post /f/{identifier}';

/**
 * Adds to each operation its tag, a description that names the right it needs, and every error that it
 * may answer with.
 * @param problems all that there are
 * @throws Error for a controller without a tag, or an error that is not among `problems`
 */
export function describe(document: OpenAPIObject, problems: ProblemKind[]): void {
  document.tags = TAGS;
  document.paths = inPlace(document.paths);
  sortWords(document.components?.schemas);
  const shared: SharedResponses = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const route = `${method} ${path}`;
      describeOperation(operation);
      const { default: failure, ...responses } = operation.responses;
      operation.responses =
        route === SUBMIT && failure
          ? { ...responses, ...submitFailures(failure, problems) }
          : { ...responses, ...errorResponses(codesOf(route, operation), problems, shared) };
    }
  }
  document.components = { ...document.components, responses: sorted(shared) };
}

/** Brings paths into the order of the page, whatever module has them. */
function inPlace(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const place = (item: PathItem) =>
    Math.min(...METHODS.flatMap((method) => item[method]?.tags ?? []).map(placeOf));
  return Object.fromEntries(Object.entries(paths).sort(([, a], [, b]) => place(a) - place(b)));
}

/** Sorts enums, which the compiler gives in an order that changes from run to run. */
function sortWords(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('enum' in part && Array.isArray(part.enum)) {
    part.enum.sort(
      (a, b) => Number(a === null) - Number(b === null) || (String(a) < String(b) ? -1 : 1),
    );
  }
  for (const inner of Object.values(part)) sortWords(inner);
}

/** Makes the first sentence of a handler's comment the summary, and the whole of it the description. */
function describeOperation(operation: Operation & { 'x-right'?: string }): void {
  const text = operation.summary ?? '';
  const [summary = text] = text.split(/(?<=[.:])\s/, 1);
  operation.tags = (operation.tags ?? []).map(tagOf);
  operation.operationId = operation.operationId
    ?.replace(/Controller_/, '_')
    .replace(/\[(\d)\]/, '_$1');
  operation.summary = summary.replace(/[.:]$/, '');
  operation.description = [text, needsOf(operation)].filter(Boolean).join('\n\n');
  for (const response of Object.values(operation.responses)) {
    if (response && 'description' in response) response.description ||= 'Done.';
  }
}

/** Says what opens an operation; nothing of one that is open to all. */
function needsOf(operation: Operation & { 'x-right'?: string }): string {
  const { security, 'x-right': right } = operation;
  if (security?.some((way) => 'session' in way)) {
    return 'Needs the session of a person, and a page of this service to ask; no token opens it.';
  }
  if (security) return '';
  return right ? `Needs the right \`${right}\`.` : 'Needs a token of any right.';
}

function codesOf(route: string, operation: Operation & { 'x-right'?: string }): string[] {
  const parameters = operation.parameters ?? [];
  return problemCodes(route, {
    token: !isPublic(operation),
    right: operation['x-right'] !== undefined,
    change: ['forms:write', 'webhooks:secret'].includes(operation['x-right'] ?? ''),
    query: parameters.some((parameter) => 'in' in parameter && parameter.in === 'query'),
    body: operation.requestBody !== undefined,
  });
}

function isPublic({ security }: Operation): boolean {
  return security !== undefined;
}

/** Returns a response for each status; equal ones are stored once, in `shared`. */
function errorResponses(
  codes: string[],
  problems: ProblemKind[],
  shared: SharedResponses,
): Responses {
  const kinds = codes.map((code) => {
    const kind = problems.find((problem) => problem.code === code);
    if (!kind) throw new Error(`docs/api/errors.md does not describe ${code}.`);
    return kind;
  });
  const statuses = [...new Set(kinds.map(({ status }) => status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const possible = kinds.filter((kind) => kind.status === status);
      const name = [status, ...possible.map(({ code }) => code).sort()].join('.');
      shared[name] = errorResponse(status, possible);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Returns a response for each status, all of the shape of `failure`. */
function submitFailures(failure: Responses[string], problems: ProblemKind[]): Responses {
  const kinds = problems.filter(({ code }) => code === code.toUpperCase());
  return Object.fromEntries(
    [...new Set(kinds.map(({ status }) => status))].map((status) => {
      const possible = kinds.filter((kind) => kind.status === status);
      return [String(status), { ...failure, description: meaningOf(status, possible) }];
    }),
  );
}

function errorResponse(status: number, kinds: ProblemKind[]): SharedResponses[string] {
  const types = kinds.map(({ code }) => `urn:form-collection-service:problem:${code}`);
  const schema = {
    allOf: [{ $ref: getSchemaPath('ProblemDto') }],
    properties: { type: { type: 'string', enum: types } },
  };
  return {
    description: meaningOf(status, kinds),
    content: { [PROBLEM]: { schema } },
  };
}

function meaningOf(status: number, kinds: ProblemKind[]): string {
  const meanings = kinds.map(({ code, when }) => `- \`${code}\`: ${when}`);
  return [`${STATUS_CODES[status] ?? 'Error'}:`, '', ...meanings].join('\n');
}

function sorted(responses: SharedResponses): SharedResponses {
  return Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1)));
}
