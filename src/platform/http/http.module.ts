import { Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { BodiesUnderWay } from './bodies/bodies-under-way.js';
import { Acme } from './tls/acme.js';
import { Certificates } from './tls/certificates.js';
import { PlainPort } from './tls/plain-port.js';
import { RequestMetrics } from './requests/request-metrics.js';
import { validationPipe } from './validation.pipe.js';

/** Provides to every route of the API how bodies are read and checked, and how requests are counted. */
@Module({
  providers: [
    Acme,
    BodiesUnderWay,
    Certificates,
    PlainPort,
    { provide: APP_PIPE, useFactory: validationPipe },
    RequestMetrics,
  ],
  exports: [BodiesUnderWay, Certificates, RequestMetrics],
})
export class HttpModule {}
