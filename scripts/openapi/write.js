import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { readFileSync, writeFileSync } from 'node:fs';
import { AppModule } from '../../build/app.module.js';
import { Config } from '../../build/platform/config/config.js';
import { describe, readProblems } from './describe.js';
import { ProblemDto } from '../../build/platform/http/problem.dto.js';
import { intakePaths, intakeSchemas } from './intake.js';

/**
 * Writes the OpenAPI document of the routes as they are in the code, without opening a database:
 * `write.js FILE`. With `--check` it writes nothing and exits with 1 when FILE differs.
 */
const [mode = '', file = mode] = process.argv.slice(2);
const app = await NestFactory.create(AppModule.with(Config.from({})), { preview: true, logger: false });
const description = new DocumentBuilder()
  .setTitle('Form Collection Service')
  .setDescription('Receive form submissions and read them over an API.')
  .setVersion('1')
  .setLicense('MIT', 'https://opensource.org/license/mit')
  .setOpenAPIVersion('3.1.0')
  .addServer('/', 'This service')
  .addBearerAuth({
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'fcs_ and 36 letters and digits',
    description: 'An API token. The first start prints one, and POST /api/v1/tokens creates more.',
  })
  .addCookieAuth(
    'fcs_session',
    {
      type: 'apiKey',
      in: 'cookie',
      description:
        'The session of a person who signed in, as a browser sends it from a page of this service; named __Host-fcs_session over https.',
    },
    'session',
  )
  .addSecurityRequirements('bearer')
  .build();
const document = SwaggerModule.createDocument(app, description, { extraModels: [ProblemDto] });
document.info.contact = { name: 'The operator of this service' };
Object.assign(document.components?.schemas ?? {}, intakeSchemas);
for (const [path, operations] of Object.entries(intakePaths)) {
  document.paths[path] = { ...document.paths[path], ...operations };
}
const errorsPage = new URL('../../docs/api/errors.md', import.meta.url);
describe(document, readProblems(readFileSync(errorsPage, 'utf8')));
const IDENTIFIER = { name: 'identifier', required: true, in: 'path', schema: { type: 'string' } };
for (const [path, operations] of Object.entries(document.paths)) {
  for (const operation of Object.values(operations)) {
    const parameters = (operation.parameters ??= []);
    // A class that two controllers share cannot name the form in the path of one.
    if (path.includes('{identifier}') && !parameters.some(({ name }) => name === IDENTIFIER.name)) {
      parameters.push(IDENTIFIER);
    }
    parameters.sort((a, b) => placeIn(path, a) - placeIn(path, b));
  }
}
const { schemas = {} } = document.components ?? {};
const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
document.components = { ...document.components, schemas: Object.fromEntries(sorted) };
const text = `${JSON.stringify(document, null, 2)}\n`;
if (mode !== '--check') {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write(`${file} does not match the code; npm run openapi writes it anew.\n`);
  process.exitCode = 1;
}

/** Returns where a parameter stands in a path; query parameters come last, in the order of the code. */
function placeIn(path, { name }) {
  const place = path.indexOf(`{${name}}`);
  return place === -1 ? path.length : place;
}
