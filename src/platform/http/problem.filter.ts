import type { Response, Request } from 'express';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { requestIdOf } from './requests/requests.js';
import { DatabaseUnavailable, isUnavailable } from '../database/sql.js';
import { DomainError, InvalidFields, type FieldProblem } from '../kernel/errors.js';
import { API_BODY_LIMIT_BYTES, discardBody } from './bodies/bodies-under-way.js';
import {
  errorHeaders,
  BodyTooLarge,
  MalformedBody,
  MalformedRequest,
  MethodNotAllowed,
  RouteNotFound,
  UnsupportedMediaType,
  statusOf,
} from './errors/http.errors.js';
import { problem, PROBLEM_MEDIA_TYPE } from './problem.dto.js';
import { ClientLeft } from './sends/sends.js';
import { preRouteMethods } from './http-adapter.js';

/** Answers every error with problem details (RFC 9457), and logs faults of the service. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  catch(thrown: unknown, host: ArgumentsHost) {
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
  log(thrown: unknown, requestId: string) {
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
function limitGiven(thrown: unknown) {
  const { limit } = (thrown ?? {}) as { limit?: unknown };
  return typeof limit === 'number' ? limit : API_BODY_LIMIT_BYTES;
}

/** Returns the status of an error of Nest, Express or a body parser. */
function statusGiven(thrown: unknown) {
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
function allowedMethods(request: Request) {
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

function matches(layer: RouteLayer, path: string) {
  try {
    return layer.match(path);
  } catch {
    return false; // an invalid percent-encoding
  }
}

/** The API's stable code for each rule of class-validator. Our own rules are named by their code. */
const CODES: Record<string, string> = {
  isDefined: 'required',
  isString: 'wrong_type',
  isBoolean: 'wrong_type',
  isInt: 'wrong_type',
  isObject: 'wrong_type',
  isArray: 'wrong_type',
  nestedValidation: 'wrong_type',
  unknownValue: 'wrong_type',
  whitelistValidation: 'unknown_field',
  isIn: 'not_allowed',
  length: 'wrong_length',
  min: 'out_of_range',
  max: 'out_of_range',
};

/** Returns the pipe that checks bodies and queries: it refuses unknown fields and reports every problem at once. */
export function validationPipe(): ValidationPipe {
  return new DtoPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    stopAtFirstError: true,
    validationError: { target: true },
    exceptionFactory: (errors: ValidationError[]) => {
      const hint = unwrapped(errors);
      const others = errors.filter(({ property }) => property !== hint?.field);
      return new InvalidFields([...(hint ? [hint] : []), ...others.flatMap((error) => problemsOf(error))]);
    },
  });
}

/** Leaves parameters of the path to their own pipes: Nest would take `01` and `0x1` for 1. */
class DtoPipe extends ValidationPipe {
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }
}

/** Shows how fields are sent that stand beside the one object they belong into, where that is missing. */
function unwrapped(errors: ValidationError[]): FieldProblem | null {
  const stray = errors.find(({ constraints }) => constraints?.whitelistValidation);
  const [object, ...others] = errors.filter(isMissingObject);
  if (!stray || !object || others.length > 0) return null;
  const { property: field } = object;
  const meant = `{"${field}": {${JSON.stringify(stray.property)}: …}}`;
  return { field, code: 'required', message: `${field} is missing; did you mean ${meant}?` };
}

/** Tells whether what lacks is an object with fields of its own, by the type of the property. */
function isMissingObject({ target, property, constraints }: ValidationError) {
  if (!target || !constraints?.isDefined) return false;
  const type: unknown = Reflect.getMetadata('design:type', target, property);
  return typeof type === 'function' && String(type).startsWith('class ');
}

function problemsOf(error: ValidationError, parent = ''): FieldProblem[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, text]) => {
    const code = CODES[rule] ?? rule;
    const message = code === 'unknown_field' ? 'is not a known field; leave it out' : text;
    return { field, code, message: `${field} ${message}.` };
  });
  return [...own, ...(error.children ?? []).flatMap((child) => problemsOf(child, field))];
}
