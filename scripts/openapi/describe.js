import { getSchemaPath } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { placeOf, TAGS, tagOf } from './tags.js';

/** Errors of every route of the framework's router. */
const ANYWHERE = ['malformed_request', 'unexpected'];
const WITH_TOKEN = [
  'malformed_credentials',
  'authentication_required',
  'invalid_token',
  'rate_limited',
  'database_unavailable',
];
const WITH_BODY = ['malformed_body', 'body_too_slow', 'body_too_large', 'unsupported_media_type', 'invalid_fields'];

const INVITING = ['invitation_forbidden', 'role_exceeded', 'membership_exists', 'mail_not_sent'];
const ISSUING = ['rights_exceeded', 'expiry_exceeded', 'expiry_passed', 'too_many_tokens'];
const ADDING = ['too_many_destinations', 'private_address'];
const IMPORTING = [
  ...['action_forbidden', 'import_unreadable', 'import_truncated', 'import_packed'],
  ...['import_workbook', 'import_web_page', 'import_too_large', 'files_unavailable'],
];
/** Searches wait for each other. */
const SEARCHING = ['search_under_way', 'searches_busy'];

/** Errors by a part of the path: mostly that the thing it names does not exist. */
const NAMED = [
  [/\/me\//, ['session_required', 'foreign_request', 'only_looking', 'view_over', 'database_unavailable']],
  [/\/me\/passkeys\/\{id\}$/, ['passkey_not_found']],
  [/\/sign-in\/passkey/, ['foreign_request', 'passkeys_off', 'database_unavailable']],
  [/^\/(?:f|files|exports|recipients)\//, ['rate_limited', 'database_unavailable']],
  [/\/(?:forms|f)\/\{identifier\}/, ['form_not_found']],
  [/^\/f\/\{identifier\}\/challenge$/, ['no_proof_of_work']],
  [/\/submissions\/\{id\}/, ['submission_not_found']],
  [/\/submissions\/\{id\}\/files\/\{fileId\}/, ['file_not_found', 'file_infected']],
  [/\/submissions\/\{id\}\/presence$/, ['action_forbidden']],
  [/\/notes\/\{noteId\}/, ['note_not_found']],
  [/\/aliases\/\{aliasId\}/, ['alias_not_found']],
  [/\/destinations\/\{\w+\}/, ['destination_not_found']],
  [/^\/api\/v1\/destinations/, ['destinations_of_account', 'client_not_found']],
  [/\/jobs\/\{id\}/, ['job_not_found']],
  [/\/imports\/\{id\}/, ['import_not_found']],
  [/\/jobs\/\{id\}\/file$/, ['export_gone', 'range_not_satisfiable']],
  [/^\/exports\/\{link\}$/, ['link_expired', 'export_gone', 'range_not_satisfiable']],
  [/^\/api\/v1\/views\/\{id\}$/, ['view_not_found']],
  [/\/deliveries\/\{deliveryId\}/, ['delivery_not_found']],
  [/\/clients\/\{id\}/, ['client_not_found']],
  [/\/people\/\{(?:id|personId)\}(?:\/sessions)?$/, ['person_not_found', 'own_role', 'role_exceeded', 'last_owner']],
  [/\/people\/\{id\}\/identities/, ['person_not_found']],
  [/\/identities\/\{identity\}$/, ['identity_not_found']],
  [/\/invitations\/\{id\}/, ['invitation_not_found']],
  [/\/invitations\/\{id\}\/resend$/, ['role_exceeded', 'membership_exists', 'mail_not_sent']],
  [/^\/files\/logos\/\{digest\}$/, ['logo_not_found']],
  [/\/tokens\/\{(?:id|tokenId)\}$/, ['token_not_found']],
  [/\/submissions(?:\.\w+)?$/, ['filter_unclear']],
  [/\/submissions\.\w+$/, ['too_many_exports']],
  [/\/statistics(?:\/\w+)?$/, ['span_empty']],
  [/(?<!\/spam)\/statistics$/, ['too_many_buckets']],
  [/^\/recipients\/\{link\}$/, ['recipient_link_expired']],
  [/^\/api\/v1\/clients\/\{id\}\/host/, ['host_not_found']],
  [/^\/health\/host$/, ['host_unknown']],
  [/^\/opt-in\/\{link\}$/, ['confirmation_link_broken']],
  [/^\/recipients\/digests\/\{link\}$/, ['mail_link_over']],
  [/\/me\/views\/\{id\}\/digest$/, ['view_not_found', 'not_allowed_here']],
  [/^\/files\/\{link\}$/, ['link_expired', 'file_not_found', 'file_infected']],
];

/** Further errors of single operations. */
const OWN = {
  'post /api/v1/forms/{identifier}/aliases': ['alias_malformed', 'alias_taken', 'too_many_aliases'],
  'post /api/v1/destinations': ADDING,
  'patch /api/v1/destinations/{id}': ['private_address'],
  'post /api/v1/destinations/{id}/test': ['no_form_to_test'],
  'post /api/v1/forms/{identifier}/destinations': ADDING,
  'patch /api/v1/forms/{identifier}/destinations/{id}': ['private_address', 'too_many_recipients'],
  'post /api/v1/forms/{identifier}/destinations/preview': ['too_many_recipients'],
  'delete /api/v1/forms/{identifier}/destinations/{id}': ['destination_stays'],
  'delete /api/v1/destinations/{id}': ['destination_stays'],
  'post /api/v1/forms/{identifier}/destinations/{id}/test': ['webhook_not_set'],
  'post /api/v1/moves': ['unreadable_move', 'form_creation_forbidden', 'too_many_recipients'],
  'post /api/v1/forms': ['form_creation_forbidden', 'too_many_recipients', 'private_address'],
  'patch /api/v1/forms/{identifier}': ['too_many_recipients', 'private_address'],
  'put /api/v1/forms/{identifier}': ['too_many_recipients', 'private_address'],
  'delete /api/v1/forms/{identifier}': ['action_forbidden'],
  'put /api/v1/forms/{identifier}/retention': ['action_forbidden'],
  'post /api/v1/forms/{identifier}/origins': ['domain_list_full'],
  'put /api/v1/forms/{identifier}/spam': ['spam_bands_crossed', 'captcha_incomplete'],
  'put /api/v1/forms/{identifier}/spam/lists': ['spam_list_unclear', 'spam_list_too_long', 'spam_lists_full'],
  'post /api/v1/forms/{identifier}/thank-you-page/preview': ['too_many_recipients'],
  'post /api/v1/clients': ['client_creation_forbidden', 'client_email_taken', 'unknown_forms'],
  'patch /api/v1/clients/{id}': ['client_email_taken', 'unknown_forms'],
  'put /api/v1/clients/{id}/host': ['host_taken'],
  'post /api/v1/clients/{id}/host/verify': ['host_not_proven', 'host_taken'],
  'post /api/v1/tokens': ISSUING,
  'post /api/v1/clients/{id}/tokens': ISSUING,
  'patch /api/v1/account': ['account_change_forbidden'],
  'patch /api/v1/account/brand': ['account_change_forbidden', 'logo_refused'],
  'put /api/v1/clients/{id}/brand': ['logo_refused'],
  'put /api/v1/clients/{id}/sender': ['sender_missing', 'private_address'],
  'post /api/v1/clients/{id}/sender/test': ['test_recipient_unknown'],
  'post /api/v1/clients/{id}/report/mail/send': ['nobody_gets_report'],
  'get /api/v1/weekly-mail': ['account_change_forbidden'],
  'put /api/v1/weekly-mail': ['account_change_forbidden'],
  'post /api/v1/weekly-mail/send': ['account_change_forbidden', 'nobody_gets_report'],
  'put /api/v1/clients/{id}/form-defaults': ['too_many_recipients', 'private_address'],
  'post /api/v1/clients/{id}/forms': [
    'form_creation_forbidden',
    'not_allowed_here',
    'too_many_recipients',
    'private_address',
  ],
  'post /api/v1/people': INVITING,
  'post /api/v1/clients/{id}/people': INVITING,
  'patch /api/v1/forms/{identifier}/submissions/{id}/values': ['invalid_values', 'too_large', 'action_forbidden'],
  'post /api/v1/forms/{identifier}/submissions/{id}/notes': ['too_many_notes'],
  'post /api/v1/forms/{identifier}/submissions/{id}/notes/{noteId}/restore': ['too_many_notes'],
  'put /api/v1/forms/{identifier}/submissions/{id}/assignee': ['unknown_assignee'],
  'get /api/v1/submissions': SEARCHING,
  'get /api/v1/forms/{identifier}/submissions': SEARCHING,
  'post /api/v1/forms/{identifier}/submissions': SEARCHING,
  'post /api/v1/submissions/bulk': [
    ...SEARCHING,
    'form_not_found',
    'filter_unclear',
    'nothing_to_change',
    'unknown_assignee',
    'too_many_jobs',
  ],
  'post /api/v1/forms/{identifier}/exports': [...SEARCHING, 'filter_unclear', 'too_many_jobs'],
  'post /api/v1/forms/{identifier}/imports': [...IMPORTING, 'too_many_imports'],
  'post /api/v1/forms/{identifier}/imports/preview': IMPORTING,
  'delete /api/v1/forms/{identifier}/imports/{id}': ['action_forbidden'],
  'post /api/v1/views': ['form_not_found', 'filter_unclear', 'too_many_views'],
  'patch /api/v1/views/{id}': ['filter_unclear', 'too_many_views'],
  'post /api/v1/forms/{identifier}/webhook/test': ['webhook_not_set'],
  'post /api/v1/forms/{identifier}/submissions/{id}/deliveries/{deliveryId}/attempts': [
    'delivery_under_way',
    'not_confirmed',
  ],
  'post /api/v1/forms/{identifier}/submissions/{id}/confirm': ['not_asked'],
  'put /api/v1/forms/{identifier}/visitor-mail/attachment': ['attachment_too_large'],
  'post /api/v1/me/passkeys/options': ['proof_required', 'passkeys_off', 'too_many_passkeys'],
  'post /api/v1/me/passkeys/proof-options': ['passkeys_off'],
  'post /api/v1/me/passkeys': [
    'proof_required',
    'passkeys_off',
    'passkey_refused',
    'passkey_known',
    'too_many_passkeys',
  ],
  'post /api/v1/me/test-mails': [
    'not_allowed_here',
    'form_not_found',
    'form_not_own',
    'too_many_recipients',
    'address_not_verified',
    'rate_limited',
  ],
  'get /api/v1/me/instance': ['not_allowed_here'],
  'post /api/v1/me/instance/checks': ['not_allowed_here'],
  'post /api/v1/me/instance/mend': ['not_allowed_here'],
  'put /api/v1/me/views/{id}/digest': ['address_not_verified'],
  'post /api/v1/me/email': ['proof_required', 'rate_limited'],
  'post /api/v1/me/email/confirm': ['proof_required', 'address_link_over', 'person_email_taken'],
  'post /api/v1/me/view': [
    'proof_required',
    'not_allowed_here',
    'person_not_found',
    'client_not_found',
    'nothing_to_see',
  ],
  'delete /api/v1/me/passkeys/{id}': ['proof_required', 'last_way_in'],
  'post /api/v1/sign-in/passkey': ['passkey_refused', 'rate_limited'],
  'get /api/v1/events': ['not_acceptable', 'too_many_streams', 'streams_full'],
  'get /health/ready': ['migrations_pending', 'account_missing', 'database_unavailable'],
  'get /metrics': ['authentication_required', 'invalid_token', 'route_not_found', 'rate_limited'],
};

/** Reads the rows `| 404 | `form_not_found` | No such form. |` of docs/api/errors.md. */
export function readProblems(page) {
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.flatMap(([, status = '', code = '', when = '']) =>
    /^\d{3}$/.test(status) && /^`\w+`$/.test(code) ? [{ status: Number(status), code: code.slice(1, -1), when }] : [],
  );
}

/**
 * Returns the codes of the errors that an operation may answer with.
 * @param route method and path, such as `get /api/v1/forms/{identifier}`
 */
function problemCodes(route, asks) {
  const named = NAMED.flatMap(([pattern, codes]) => (pattern.test(route.slice(route.indexOf('/'))) ? codes : []));
  return [
    ...new Set([
      ...ANYWHERE,
      ...(asks.token ? WITH_TOKEN : []),
      ...(asks.right ? ['missing_right'] : []),
      ...(asks.change ? ['form_not_own'] : []),
      ...(asks.query ? ['invalid_fields'] : []),
      ...(asks.body ? WITH_BODY : []),
      ...named,
      ...(OWN[route] ?? []),
    ]),
  ];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const PROBLEM = 'application/problem+json';
/** The intake's route. Its errors have another shape, with codes in capitals. */
const SUBMIT = 'post /f/{identifier}';

/**
 * Adds to each operation its tag, a description that names the right it needs, and every error that it
 * may answer with.
 * @param problems all that there are
 * @throws Error for a controller without a tag, or an error that is not among `problems`
 */
export function describe(document, problems) {
  document.tags = TAGS;
  document.paths = inPlace(document.paths);
  sortWords(document.components?.schemas);
  const shared = {};
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
function inPlace(paths) {
  const place = (item) => Math.min(...METHODS.flatMap((method) => item[method]?.tags ?? []).map(placeOf));
  return Object.fromEntries(Object.entries(paths).sort(([, a], [, b]) => place(a) - place(b)));
}

/** Sorts enums, which the compiler gives in an order that changes from run to run. */
function sortWords(part) {
  if (typeof part !== 'object' || part === null) return;
  if ('enum' in part && Array.isArray(part.enum)) {
    part.enum.sort((a, b) => Number(a === null) - Number(b === null) || (String(a) < String(b) ? -1 : 1));
  }
  for (const inner of Object.values(part)) sortWords(inner);
}

/** Makes the first sentence of a handler's comment the summary, and the whole of it the description. */
function describeOperation(operation) {
  const text = operation.summary ?? '';
  const [summary = text] = text.split(/(?<=[.:])\s/, 1);
  operation.tags = (operation.tags ?? []).map(tagOf);
  operation.operationId = operation.operationId?.replace(/Controller_/, '_').replace(/\[(\d)\]/, '_$1');
  operation.summary = summary.replace(/[.:]$/, '');
  operation.description = [text, needsOf(operation)].filter(Boolean).join('\n\n');
  for (const response of Object.values(operation.responses)) {
    if (response && 'description' in response) response.description ||= 'Done.';
  }
}

/** Says what opens an operation; nothing of one that is open to all. */
function needsOf(operation) {
  const { security, 'x-right': right } = operation;
  if (security?.some((way) => 'session' in way)) {
    return 'Needs the session of a person, and a page of this service to ask; no token opens it.';
  }
  if (security) return '';
  return right ? `Needs the right \`${right}\`.` : 'Needs a token of any right.';
}

function codesOf(route, operation) {
  const parameters = operation.parameters ?? [];
  return problemCodes(route, {
    token: !isPublic(operation),
    right: operation['x-right'] !== undefined,
    change: ['forms:write', 'webhooks:secret'].includes(operation['x-right'] ?? ''),
    query: parameters.some((parameter) => 'in' in parameter && parameter.in === 'query'),
    body: operation.requestBody !== undefined,
  });
}

function isPublic({ security }) {
  return security !== undefined;
}

/** Returns a response for each status; equal ones are stored once, in `shared`. */
function errorResponses(codes, problems, shared) {
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
function submitFailures(failure, problems) {
  const kinds = problems.filter(({ code }) => code === code.toUpperCase());
  return Object.fromEntries(
    [...new Set(kinds.map(({ status }) => status))].map((status) => {
      const possible = kinds.filter((kind) => kind.status === status);
      return [String(status), { ...failure, description: meaningOf(status, possible) }];
    }),
  );
}

function errorResponse(status, kinds) {
  const types = kinds.map(({ code }) => `urn:form-collection-service:problem:${code}`);
  const schema = {
    allOf: [{ $ref: getSchemaPath('ProblemDto') }],
    properties: { type: { type: 'string', enum: types } },
  };
  return { description: meaningOf(status, kinds), content: { [PROBLEM]: { schema } } };
}

function meaningOf(status, kinds) {
  const meanings = kinds.map(({ code, when }) => `- \`${code}\`: ${when}`);
  return [`${STATUS_CODES[status] ?? 'Error'}:`, '', ...meanings].join('\n');
}

function sorted(responses) {
  return Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1)));
}
