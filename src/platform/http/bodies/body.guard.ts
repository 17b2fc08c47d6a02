import { Injectable, SetMetadata, type CanActivate, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { json, urlencoded, type Request, type RequestHandler, type Response } from 'express';
import {
  API_BODY_LIMIT_BYTES,
  BodiesUnderWay,
  LONG_BODY_LIMIT_BYTES,
  STRANGERS_FORM_LIMIT_BYTES,
  type AdmittedRequest,
  type BodyUnderWay,
} from './bodies-under-way.js';
import { hasBody } from '../requests/requests.js';
import { BodyTooLarge, UnsupportedMediaType, MalformedBody } from '../errors/http.errors.js';

/** Deepest nesting of a body; routes need three levels. */
const MAX_LEVELS = 16;
/** Most objects and members in a body; checking an unknown one takes some 60 microseconds. */
const MAX_MEMBERS = 1_000;
/** The same of one that holds long lists: 250 fields of a form with all that can be said of each. */
const LONG_MAX_MEMBERS = 4_000;
/** Most elements of arrays in a body; twice the longest list that a route takes, the ids of forms. */
const MAX_ELEMENTS = 20_000;

const ALSO_READS = Symbol('also reads');
const READS_FORMS = Symbol('reads forms');
const READS_SHORT_JSON = Symbol('reads short JSON');
const READS_UPLOAD = Symbol('reads upload');
const READS_LONG = Symbol('reads long');
/** Fields of a long form of a page: two for each of the 10,000 that MAX_FIELDS allows, and some. */
const LONG_FORM_FIELDS_MAX = 20_100;
type PassedRequest = Request & AdmittedRequest;

const readJson = json({ limit: API_BODY_LIMIT_BYTES });
const readForm = urlencoded({ extended: false, limit: API_BODY_LIMIT_BYTES });
const readLongJson = json({
  limit: LONG_BODY_LIMIT_BYTES,
  verify: (_, __, bytes) => {
    refuseMany(bytes);
  },
});
const readLongForm = urlencoded({
  extended: false,
  limit: LONG_BODY_LIMIT_BYTES,
  parameterLimit: LONG_FORM_FIELDS_MAX,
});
const readStrangersJson = json({ limit: STRANGERS_FORM_LIMIT_BYTES });
const readStrangersForm = urlencoded({ extended: false, limit: STRANGERS_FORM_LIMIT_BYTES });

/** Makes the routes of a controller read bodies by these handlers in turn, after the JSON parser. */
export const AlsoReads = (...handlers: RequestHandler[]): CustomDecorator<symbol> => SetMetadata(ALSO_READS, handlers);

/** Makes routes read the forms of pages and nothing else; before sign-in only short ones. */
export const ReadsForms = (): CustomDecorator<symbol> => SetMetadata(READS_FORMS, true);

/** Makes routes read JSON of who has no principal: as short as the form of a stranger. */
export const ReadsShortJson = (): CustomDecorator<symbol> => SetMetadata(READS_SHORT_JSON, true);

/** Makes a route read bodies that hold long lists. */
export const ReadsLong = (): CustomDecorator<symbol> => SetMetadata(READS_LONG, true);

/** Leaves the body of a route to the interceptor of the route, which reads a form with a file. */
export const ReadsUpload = (): CustomDecorator<symbol> => SetMetadata(READS_UPLOAD, true);

/**
 * Reads the body of a request. It is the last of the guards of all routes, so a refused request's body is
 * not read, and runs before the pipes that check it. Routes without a principal take no body, except those
 * that are marked. An interceptor could do the same, but takes a tenth of the processor time of a read.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly bodies: BodiesUnderWay,
  ) {}

  /**
   * @throws MalformedBody, UnsupportedMediaType, BodyTooLarge, or the error of a parser
   * @throws TooManyBodies, TooManyBodiesOfAccount, TooManyBodiesOfNetwork, BodyTooSlow
   */
  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<PassedRequest>();
    const { user } = request;
    if (this.isMarked(context, READS_UPLOAD)) return true;
    const response = http.getResponse<Response>();
    const isLong = user !== undefined && this.isMarked(context, READS_LONG);
    const limit = isLong ? LONG_BODY_LIMIT_BYTES : API_BODY_LIMIT_BYTES;
    if (this.isMarked(context, READS_FORMS)) {
      if (isLong) await readLimited(this.bodies, request, response, readLongForm, limit);
      else await this.takeShort(request, response, user ? readForm : readStrangersForm);
      return true;
    }
    if (this.isMarked(context, READS_SHORT_JSON)) {
      await this.takeShort(request, response, user ? readJson : readStrangersJson);
      return true;
    }
    if (user === undefined) return true;
    const more = this.reflector.get<RequestHandler[] | undefined>(ALSO_READS, context.getClass());
    const given = hasBody(request);
    if (given || more) {
      const body = given ? this.bodies.begin(request, limit) : undefined;
      const readers = [isLong ? readLongJson : readJson, ...(more ?? [])];
      await read(request, response, readers, body, isLong ? LONG_MAX_MEMBERS : MAX_MEMBERS);
    }
    if (given && request.body === undefined) throw new UnsupportedMediaType();
    return true;
  }

  private isMarked(context: ExecutionContext, mark: symbol) {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(mark, targets) ?? false;
  }

  private takeShort(request: PassedRequest, response: Response, reader: RequestHandler) {
    return readShort(this.bodies, request, response, reader);
  }
}

/**
 * Reads the short form of who has not signed in, so that a page can keep what was typed.
 * @throws BodyTooLarge, UnsupportedMediaType, TooManyBodies, or the error of a parser
 */
export function readStrangersFormOf(request: PassedRequest, response: Response, bodies: BodiesUnderWay) {
  return readShort(bodies, request, response, readStrangersForm);
}

function readShort(bodies: BodiesUnderWay, request: PassedRequest, response: Response, reader: RequestHandler) {
  const limit = request.user ? API_BODY_LIMIT_BYTES : STRANGERS_FORM_LIMIT_BYTES;
  return readLimited(bodies, request, response, reader, limit);
}

async function readLimited(
  bodies: BodiesUnderWay,
  request: PassedRequest,
  response: Response,
  reader: RequestHandler,
  limit: number,
) {
  if (!hasBody(request)) return;
  // The parser would read all of the body before it refuses it.
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new BodyTooLarge(limit);
  await read(request, response, [reader], bodies.begin(request, limit));
  if (request.body === undefined) throw new UnsupportedMediaType();
}

async function read(
  request: Request,
  response: Response,
  readers: RequestHandler[],
  body?: BodyUnderWay,
  members = MAX_MEMBERS,
) {
  try {
    for (const reader of readers) {
      await new Promise<void>((resolve, reject) => {
        void reader(request, response, (error?: unknown) => {
          if (error instanceof Error) reject(error);
          else resolve();
        });
        body?.watch(request, (refusal) => {
          response.shouldKeepAlive = false; // what has arrived is in memory until the connection ends
          reject(refusal);
        });
      });
      refuseCostly(request.body, members);
    }
  } finally {
    body?.end();
  }
}

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');

/** Refuses JSON by its commas alone, since to parse a million takes seconds. @throws MalformedBody */
function refuseMany(bytes: Buffer) {
  const most = LONG_MAX_MEMBERS + MAX_ELEMENTS;
  let commas = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) isText = !isText;
    else if (byte === COMMA && !isText) commas++;
  }
  if (commas > most) throw new MalformedBody(`The body has more than ${most} fields and entries.`);
}

/**
 * Refuses a body that would take long to check, or exhaust the stack.
 * @throws MalformedBody
 */
function refuseCostly(body: unknown, members: number) {
  walk(body, MAX_LEVELS, { members, elements: MAX_ELEMENTS }, members);
}

function walk(value: unknown, levels: number, left: { members: number; elements: number }, most: number) {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) throw new MalformedBody(`The body has more than ${MAX_LEVELS} levels.`);
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (Array.isArray(value)) left.elements -= inner.length;
  else left.members -= inner.length + 1;
  if (left.members < 0) throw new MalformedBody(`The body has more than ${most} fields.`);
  if (left.elements < 0) {
    throw new MalformedBody(`The lists of the body have more than ${MAX_ELEMENTS} entries.`);
  }
  for (const each of inner) walk(each, levels - 1, left, most);
}
