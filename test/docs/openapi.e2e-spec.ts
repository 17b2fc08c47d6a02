import { OLD_ADDRESSES } from '../../src/web/settings/account-settings.controller.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Express } from 'express';
import { readFileSync } from 'node:fs';
import { isPage } from '../support/routes.js';
import { useService } from '../support/service.js';

interface Operation {
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  responses: Record<string, { $ref?: string }>;
  tags: string[];
  description: string;
  'x-right'?: string;
}

interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: {
    schemas: Record<string, { properties: Record<string, object> }>;
    responses: Record<string, { content: Record<string, { schema: ProblemSchema }> }>;
  };
}

interface ProblemSchema {
  properties: { type: { enum: string[] } };
}

/** Answered before the router; that it is live is what the tests of the intake show. */
const SUBMIT = 'post /f/{identifier}';

const service = useService();
let document: OpenApi;
beforeAll(async () => {
  document = await service().anonymous().read('/api/openapi.json');
});

const operations = (): { path: string; method: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

/** Returns the routes in the spelling of the document, without the documentation itself and the assets of pages. */
function liveRoutes(): string[] {
  const express: Express = service().app.getHttpAdapter().getInstance();
  return express.router.stack
    .flatMap(({ route }) => (route ? [route] : []))
    .filter(
      ({ path }) =>
        !isPage(path) &&
        !(path.slice(1) in OLD_ADDRESSES) &&
        !/^\/(?:api\/openapi|docs|llms|mcp|assets|favicon|proof-of-work|f(?:-draft|\.[^/]*)?\.js$)/.test(path),
    )
    .flatMap(({ path, stack }) =>
      stack.map(({ method }) => `${method} ${path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')}`),
    );
}

describe('The OpenAPI document', () => {
  it('describes every live route, and nothing else (API9)', () => {
    const described = operations().map(({ method, path }) => `${method} ${path}`);

    const live = [...liveRoutes(), SUBMIT];
    expect(described.sort()).toEqual([...new Set(live)].sort());
    expect(described.length).toBeGreaterThan(20);
  });

  it('holds only valid schemas, whose references all lead somewhere', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: 'openapi.json' });
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]+)"/g)];
    const names = Object.keys(document.components.schemas);

    expect(references.length).toBeGreaterThan(names.length);
    for (const [, reference = ''] of references) ajv.compile({ $ref: `openapi.json${reference}` });
    for (const name of names) {
      ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` });
    }
  });

  it('gives each operation a name of its own', () => {
    const ids = operations().map(({ operation }) => operation.operationId);

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('declares the parameters of each path, and no others in it', () => {
    for (const { path, operation } of operations()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path');

      expect({ path, names: declared.map(({ name }) => name).sort() }).toEqual({ path, names: named.sort() });
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  });
});

describe('The errors of the OpenAPI document', () => {
  /** Codes by status, of the operation at a route such as `get /api/v1/forms`. */
  function errorsOf(route: string): Record<string, string[]> {
    const [found] = operations().filter(({ path, method }) => `${method} ${path}` === route);
    const referred = Object.entries(found?.operation.responses ?? {}).filter(([, { $ref }]) => $ref);
    return Object.fromEntries(
      referred.map(([status, { $ref = '' }]) => {
        const response = document.components.responses[$ref.split('/').at(-1) ?? ''];
        const schema = response?.content['application/problem+json']?.schema;
        const types = schema?.properties.type.enum ?? [];
        return [status, types.map((type) => type.split(':').at(-1) ?? '')];
      }),
    );
  }

  it('are listed by status and code, as they are possible', () => {
    expect(errorsOf('patch /api/v1/clients/{id}')).toMatchObject({
      400: expect.arrayContaining(['malformed_body', 'malformed_credentials']),
      401: ['authentication_required', 'invalid_token'],
      403: ['missing_right'],
      404: ['client_not_found'],
      409: ['client_email_taken'],
      413: ['body_too_large'],
      415: ['unsupported_media_type'],
      422: expect.arrayContaining(['invalid_fields', 'unknown_forms']),
      429: ['rate_limited'],
      503: ['database_unavailable'],
    });
  });

  it('name a token wherever one is asked for, and the right that it must have', () => {
    const asking = operations().filter(({ path }) => path.startsWith('/api/v1/') && !/\/(?:me|sign-in)\//.test(path));

    for (const { method, path, operation } of asking) {
      const errors = errorsOf(`${method} ${path}`);
      expect(errors[401]).toContain('invalid_token');
      expect(errors[403]?.includes('missing_right') ?? false).toBe('x-right' in operation);
      if (operation['x-right']) expect(operation.description).toContain(operation['x-right']);
    }
    expect(asking.filter(({ operation }) => operation['x-right']).length).toBeGreaterThan(20);
  });

  it('have each code somewhere, but for those of addresses and methods that are not there', () => {
    const page = readFileSync(new URL('../../docs/api/errors.md', import.meta.url), 'utf8');
    const [api = '', rest = ''] = page.split('\n## Pages\n'); // pages are no operations
    const ofApi = api + rest.slice(rest.indexOf('\n## '));
    const described = Array.from(ofApi.matchAll(/^\| \d{3} +\| `([a-z_]+)`/gm), ([, code]) => code);
    const listed = operations().flatMap(({ method, path }) => Object.values(errorsOf(`${method} ${path}`)).flat());

    expect(described.filter((code) => !listed.includes(code ?? ''))).toEqual(['method_not_allowed']);
  });
});

describe('The words of the OpenAPI document', () => {
  it('are a closed set wherever the service knows no others', () => {
    const wordsOf = (schema: string, property: string) =>
      (document.components.schemas[schema]?.properties[property] as { enum?: string[] }).enum;

    expect(wordsOf('DeliveryDto', 'state')).toContain('pending');
    expect(wordsOf('DeliveryDto', 'kind')).toContain('owner_email');
    expect(wordsOf('AttemptDto', 'outcome')).toContain('accepted');
    expect(wordsOf('AttemptDto', 'trigger')).toContain('scheduled');
    expect(wordsOf('WebhookDto', 'state')).toContain('enabled');
    expect(wordsOf('DestinationTestDto', 'outcome')).toContain('timed_out');
  });

  it('begin with forms, and every operation belongs to a part that is described', () => {
    const names = document.tags.map(({ name }) => name);

    expect(names.slice(0, 2)).toEqual(['Forms', 'Submissions']);
    for (const { operation } of operations()) expect(names).toContain(operation.tags[0]);
  });
});
