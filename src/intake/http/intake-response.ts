import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Form } from '../../forms/model/form.entity.js';
import { toldOf, wordsFor } from '../../forms/model/form-language.js';
import { preferredLanguage, type Words } from '../../languages/words.js';
import type { DomainError, Config } from '../../platform/index.js';
import { NOTHING_CARRIED, type Carried, type Pages } from '../../visitor-pages/pages.js';
import { OURS, type IntakeAddress, type Dialect, type Failure } from '../dialects/dialects.js';
import type { Success } from '../model/special-fields.js';
import { HTTPS_ONLY, acceptsHtmlByName } from '../../platform/http/index.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
/** Code of the error for an address without a form. */
const UNKNOWN_FORM = 'form_not_found';
const PREFLIGHT_MAX_AGE_SECONDS = String(24 * 60 * 60);

/**
 * Writes the response to a request of the intake. Headers are collected and written together: setting each
 * would cost as much as reading the form.
 */
export class IntakeResponse {
  private readonly headers: string[];
  /** How it speaks to scripts. */
  dialect: Dialect;
  /** Where a browser is sent after a failure; null for a page that says what is wrong. */
  errorUrl: URL | null = null;
  /** The form that it is for; null until it is found. */
  form: Readonly<Form> | null = null;
  /** Words of the language that the visitor is answered in. */
  words: Words;
  /** Returns what goes along when a visitor corrects answers. */
  carried: () => Carried = () => NOTHING_CARRIED;

  /** @param headers names and values in turn; part of every response */
  constructor(
    readonly req: IncomingMessage,
    private readonly response: ServerResponse,
    headers: readonly string[],
    private readonly address: IntakeAddress,
  ) {
    this.headers = [...headers, ...readableBy(req.headers.origin)];
    this.words = wordsFor(null, preferredLanguage(req.headers['accept-language']));
    const [only = OURS, ...others] = address.dialects;
    this.dialect = others.length === 0 ? only : OURS;
  }

  setHeader(name: string, value: string) {
    const at = this.headers.indexOf(name);
    if (at < 0) this.headers.push(name, value);
    else this.headers[at + 1] = value;
  }

  /** Returns the status of the response; null until it was sent. */
  get status(): number | null {
    return this.response.headersSent ? this.response.statusCode : null;
  }

  /** Browsers are sent on by 303, so that reload and back do not send the form again; never a script. */
  succeed(success: Success, pages: Pages) {
    const { reader, dialect } = this;
    const { redirect } = success;
    if (reader === 'htmx') {
      if (redirect !== null) this.setHeader(HTMX_REDIRECT, new URL(redirect).href);
      this.send(200, HTML_TYPE, pages.fragment(success.message, this.words));
    } else if (reader === 'script') {
      if (redirect?.startsWith('https:') && isAmp(this.req)) {
        this.setHeader(AMP_REDIRECT, new URL(redirect).href);
      }
      this.send(200, JSON_TYPE, JSON.stringify(dialect.success?.(success) ?? success));
    } else this.sendOn(new URL(success.next));
  }

  async fail(status: number, error: Pick<DomainError, 'code' | 'message' | 'fields'>, pages: Pages) {
    const { reader, dialect, errorUrl } = this;
    if (reader === 'htmx') {
      this.send(status, HTML_TYPE, pages.failureFragment(error, this.form, this.words));
      return;
    }
    if (reader === 'browser') {
      if (errorUrl) {
        this.sendOn(errorUrl);
        return;
      }
      const page =
        error.code === UNKNOWN_FORM
          ? pages.unknownForm(this.words)
          : await pages.failure(error, status < 500 ? this.form : null, this.words, this.whatIsCarried());
      this.setHeader('Content-Security-Policy', page.policy);
      this.send(status, HTML_TYPE, page.html);
      return;
    }
    const { code, fields } = error;
    const told = toldOf(error, this.form, this.words);
    const message = told.detail ?? told.message;
    const [first] = fields;
    // One that says the same as the whole is told in the same words.
    const all =
      first === undefined || first.message === error.message ? [{ field: null, ...first, code, message }] : fields;
    const failure = {
      ...{ status, message, code: code.toUpperCase() },
      errors: all.map((entry) => ({ ...entry, code: entry.code.toUpperCase() })),
    };
    const body = dialect.failure?.(failure) ?? failureBody(failure);
    this.send(status, JSON_TYPE, JSON.stringify(body));
  }

  /** Answers the preflight request of a browser whose page is of another origin. */
  allow() {
    const asked = this.req.headers['access-control-request-headers'];
    this.setHeader('Access-Control-Allow-Methods', 'GET, POST, OPTIONS');
    this.setHeader('Access-Control-Allow-Headers', asked ?? '*');
    this.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS);
    this.setHeader('Vary', 'Origin, Access-Control-Request-Headers');
    this.end(204);
  }

  /** Returns what goes along with answers; the page is known before they are read. */
  private whatIsCarried(): Carried {
    const carried = this.carried();
    return { ...carried, page: carried.page ?? this.req.headers.referer ?? null };
  }

  private get reader(): Reader {
    return this.address.path.isJson ? 'script' : readerOf(this.req);
  }

  private sendOn({ href }: URL) {
    // A serialised URL is ASCII without control characters (URL Standard), so it cannot add a header.
    this.setHeader('Location', href);
    this.send(303, 'text/plain; charset=utf-8', '');
  }

  private send(status: number, type: string, body: string) {
    const length = String(Buffer.byteLength(body));
    const { language } = this.words;
    this.headers.push(
      'Content-Type',
      type,
      'Content-Length',
      length,
      'Cache-Control',
      'no-store',
      'Content-Language',
      language,
    );
    this.end(status, body);
  }

  private end(status: number, body?: string) {
    if (this.response.destroyed) return;
    this.response.writeHead(status, this.headers);
    this.response.end(body);
  }
}

/** Returns what suits the scripts of several services, as `Success` does. */
function failureBody({ status, message, errors }: Failure): object {
  return { ...{ success: false, ok: false, status: 'error', code: status, message, error: message, errors } };
}

/** The reader of a response: a browser that goes to a page, htmx that puts HTML into one, or another script. */
type Reader = 'browser' | 'htmx' | 'script';

/** Tells whether a form of an AMP page asks, whose script adds the origin of the page to the address. */
function isAmp({ url = '', headers }: IncomingMessage) {
  return /[?&]__amp_source_origin=/.test(url) || headers['amp-same-origin'] === 'true';
}

const ELSEWHERE = new Set(['cross-site', 'same-site']);

/**
 * Tells who reads the response. Scripts may ask for HTML too, but a script of another origin cannot follow a
 * redirect to a page: it would take success for a failure. Browsers say which it is by `Sec-Fetch-Site` and
 * `Sec-Fetch-Mode` (Fetch Metadata Request Headers); without those, `Accept` decides.
 */
function readerOf({ headers }: IncomingMessage): Reader {
  // A boosted form is shown as a page, as without HTMX.
  if (headers['hx-request'] === 'true' && headers['hx-boosted'] !== 'true') return 'htmx';
  if (!acceptsHtmlByName(headers.accept)) return 'script';
  const isElsewhere = ELSEWHERE.has(String(headers['sec-fetch-site']));
  return isElsewhere && headers['sec-fetch-mode'] !== 'navigate' ? 'script' : 'browser';
}

/** Headers that lead scripts on: for HTMX, and for forms on AMP pages. */
const HTMX_REDIRECT = 'HX-Redirect';
const AMP_REDIRECT = 'AMP-Redirect-To';
const EXPOSED = [
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', 'Content-Language'],
  ...[HTMX_REDIRECT, AMP_REDIRECT],
].join(', ');

/**
 * Returns the headers of every answer of the intake, names and values in turn. All of `securityHeaders` would be most
 * of an answer; these alone matter for JSON and redirects. No Referrer-Policy: a browser would carry it over to the
 * page that a redirect leads to.
 */
export function headersOf({ baseUrl }: Config): string[] {
  const headers = [
    ['Access-Control-Expose-Headers', EXPOSED],
    ['Content-Security-Policy', "default-src 'none'"],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if (baseUrl.startsWith('https:')) headers.push([...HTTPS_ONLY]);
  return headers.flat();
}

/**
 * Returns the headers that let the page that sent a form read the response, names and values in turn. Any
 * page may: no cookies are read here, so its credentials give it nothing. The origin is named because
 * browsers refuse `*` to requests with credentials, which `sendBeacon` always makes.
 * @param origin the header of the request
 */
function readableBy(origin: string | undefined) {
  if (origin === undefined) return ['Access-Control-Allow-Origin', '*', 'Vary', 'Origin'];
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Credentials', 'true', 'Vary', 'Origin'];
}
