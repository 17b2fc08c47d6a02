import {
  Catch,
  HttpException,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { DatabaseUnavailable, isUnavailable } from '../database/database.errors.js';
import { DomainError } from '../kernel/errors.js';
import { API_BODY_LIMIT_BYTES } from './bodies/bodies-under-way.js';
import { discardBody } from './bodies/discard-body.js';
import { errorHeaders } from './errors/error-headers.js';
import {
  BodyTooLarge,
  MalformedBody,
  MalformedRequest,
  MethodNotAllowed,
  RouteNotFound,
  UnsupportedMediaType,
} from './errors/http.errors.js';
import { problem, PROBLEM_MEDIA_TYPE } from './problem.dto.js';
import { statusOf } from './errors/status.js';
import { requestIdOf } from './requests/request-log.middleware.js';
import { ClientLeft } from './sends/until-left.js';
import { preRouteMethods } from './pre-routes.js';

/** Answers every error with problem details (RFC 9457), and logs faults of the service. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (thrown instanceof ClientLeft) return;
    if (!request.complete) discardBody(request);
    const requestId = requestIdOf(response);
    const error = asDomainError(thrown, request);
    const status = error ? statusOf(error) : 500;
    if (status >= 500) this.log(thrown, requestId);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of errorHeaders(error)) response.set(name, value);
    const { code, message, fields } = error ?? UNEXPECTED;
    const body = problem(status, code, message, requestId, fields);
    response.status(status).set('Content-Type', PROBLEM_MEDIA_TYPE).send(JSON.stringify(body));
  }

  /** Logs a fault of the service. */
  log(thrown: unknown, requestId: string): void {
    this.logger.error('Request failed', { requestId, error: thrown });
  }
}

const UNEXPECTED = {
  code: 'unexpected',
  message: 'Something went wrong on our side; it has been logged under the id in "instance".',
  fields: [],
};

/** Returns the error as a rule of the product; null for a fault of the service. */
export function asDomainError(thrown: unknown, request: Request): DomainError | null {
  if (thrown instanceof DomainError) return thrown;
  if (isUnavailable(thrown)) return new DatabaseUnavailable();
  switch (statusGiven(thrown)) {
    case 404:
      return unmatched(request);
    case 413:
      return new BodyTooLarge(limitGiven(thrown));
    case 415:
      return new UnsupportedMediaType();
    case 400:
      return parserComplaint(thrown);
    default:
      return null;
  }
}

/** Returns the limit that a body parser named, in bytes. */
function limitGiven(thrown: unknown): number {
  const { limit } = (thrown ?? {}) as { limit?: unknown };
  return typeof limit === 'number' ? limit : API_BODY_LIMIT_BYTES;
}

/** Returns the status of an error of Nest, Express or a body parser. */
function statusGiven(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const { status } = (thrown ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : 500;
}

function unmatched(request: Request): DomainError {
  const allowed = allowedMethods(request);
  return allowed.length === 0 ? new RouteNotFound() : new MethodNotAllowed(request.method, allowed);
}

function parserComplaint(thrown: unknown): DomainError {
  const { type, message } = thrown as { type?: string; message?: string };
  if (type === 'entity.parse.failed' || (message ?? '').includes('JSON')) {
    return new MalformedBody('The body is not valid JSON.');
  }
  return type === undefined
    ? new MalformedRequest()
    : new MalformedBody('The body is incomplete or does not match its headers.');
}

/** The part of a layer of Express's router that is read here. */
interface RouteLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Returns the methods of the routes at a request's path, sorted; none when there is no route. */
function allowedMethods(request: Request): string[] {
  // The types of Express lack a layer's `match` and the `methods` of its route.
  const { stack } = request.app.router as unknown as { stack: RouteLayer[] };
  const methods = new Set(preRouteMethods(request.path));
  for (const layer of stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false; // an invalid percent-encoding
  }
}
