import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, getSchemaPath, SwaggerModule } from '@nestjs/swagger';
import { readFileSync, writeFileSync } from 'node:fs';
import { AppModule } from './app.module.js';
import { Config } from './config/config.js';
import { intakePaths } from './intake/intake.openapi.js';
import { ProblemDto } from './http/problem.dto.js';

/**
 * Writes the OpenAPI document of the routes as they are in the code, without opening a database:
 * `openapi.js FILE`. With `--check` it writes nothing and exits with 1 when FILE differs.
 */
const [mode = '', file = mode] = process.argv.slice(2);
const app = await NestFactory.create(AppModule.with(Config.from({})), {
  preview: true,
  logger: false,
});
const description = new DocumentBuilder()
  .setTitle('Form Collection Service')
  .setDescription('Collects what visitors send through HTML forms, and gives it back over an API.')
  .setVersion('1')
  .setOpenAPIVersion('3.1.0')
  .addServer('/')
  .addBearerAuth({ type: 'http', scheme: 'bearer' })
  .addSecurityRequirements('bearer')
  .addGlobalResponse({
    status: 'default',
    description: 'An error, as problem details (RFC 9457).',
    content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
  })
  .build();
const document = SwaggerModule.createDocument(app, description, { extraModels: [ProblemDto] });
for (const [path, operations] of Object.entries(intakePaths)) {
  document.paths[path] = { ...document.paths[path], ...operations };
}
const text = `${JSON.stringify(document, null, 2)}\n`;
if (mode !== '--check') {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write(`${file} does not match the code; npm run openapi writes it anew.\n`);
  process.exitCode = 1;
}
