import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';

const DOCUMENT = new URL('../../openapi.json', import.meta.url);

/**
 * Serves the committed OpenAPI document at /api/openapi.json and a page that renders it at /api/docs.
 * The page's scripts and styles come from an installed package, so it works offline.
 */
export function serveDocs(app: INestApplication): void {
  const document = () => JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenAPIObject;
  SwaggerModule.setup('api/docs', app, document, {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Form Collection Service API',
  });
}
