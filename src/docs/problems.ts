/** A kind of error as docs/api/errors.md describes it. */
export interface ProblemKind {
  code: string;
  status: number;
  /** A sentence that says when it is given. */
  when: string;
}

/** What is possible wherever the framework's router answers. */
const ANYWHERE = ['malformed_request', 'unexpected'];
const WITH_TOKEN = [
  'malformed_credentials',
  'authentication_required',
  'invalid_token',
  'rate_limited',
  'database_unavailable',
];
const WITH_BODY = ['malformed_body', 'body_too_large', 'unsupported_media_type', 'invalid_fields'];

/** What a part of the path brings with it: mostly that there is no such thing as it names. */
const NAMED: [RegExp, string[]][] = [
  [/^\/(?:f|files|recipients)\//, ['rate_limited', 'database_unavailable']],
  [/\/(?:forms|f)\/\{identifier\}/, ['form_not_found']],
  [/\/submissions\/\{id\}/, ['submission_not_found']],
  [/\/submissions\/\{id\}\/files\/\{fileId\}/, ['file_not_found']],
  [/\/deliveries\/\{deliveryId\}/, ['delivery_not_found']],
  [/\/clients\/\{id\}/, ['client_not_found']],
  [
    /\/people\/\{(?:id|personId)\}$/,
    ['person_not_found', 'own_role', 'role_exceeded', 'last_owner'],
  ],
  [/\/invitations\/\{id\}$/, ['invitation_not_found']],
  [/\/tokens\/\{(?:id|tokenId)\}$/, ['token_not_found']],
  [/^\/recipients\/\{link\}$/, ['recipient_link_expired']],
  [/^\/files\/\{link\}$/, ['link_expired', 'file_not_found']],
];

/** What single operations refuse besides. */
const OWN: Record<string, string[]> = {
  'post /api/v1/forms': ['form_creation_forbidden', 'too_many_recipients'],
  'patch /api/v1/forms/{identifier}': ['too_many_recipients'],
  'put /api/v1/forms/{identifier}': ['too_many_recipients'],
  'post /api/v1/clients': ['client_creation_forbidden', 'client_email_taken', 'unknown_forms'],
  'patch /api/v1/clients/{id}': ['client_email_taken', 'unknown_forms'],
  'post /api/v1/tokens': ['rights_exceeded', 'expiry_exceeded', 'expiry_passed'],
  'post /api/v1/clients/{id}/tokens': ['rights_exceeded', 'expiry_exceeded', 'expiry_passed'],
  'patch /api/v1/account': ['account_change_forbidden'],
  'post /api/v1/people': ['invitation_forbidden', 'role_exceeded', 'mail_not_sent'],
  'post /api/v1/clients/{id}/people': ['invitation_forbidden', 'role_exceeded', 'mail_not_sent'],
  'post /api/v1/forms/{identifier}/webhook/test': ['webhook_not_set'],
  'post /api/v1/forms/{identifier}/submissions/{id}/deliveries/{deliveryId}/attempts': [
    'delivery_under_way',
  ],
  'get /health/ready': ['migrations_pending', 'database_unavailable'],
  'get /metrics': ['authentication_required', 'invalid_token', 'route_not_found', 'rate_limited'],
};

/** Reads the rows `| 404 | `form_not_found` | No such form. |` of docs/api/errors.md. */
export function readProblems(page: string): ProblemKind[] {
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.flatMap(([, status = '', code = '', when = '']) =>
    /^\d{3}$/.test(status) && /^`\w+`$/.test(code)
      ? [{ status: Number(status), code: code.slice(1, -1), when }]
      : [],
  );
}

/**
 * Returns the codes of the errors that an operation may answer with.
 * @param route method and path, such as `get /api/v1/forms/{identifier}`
 */
export function problemCodes(
  route: string,
  asks: { token: boolean; right: boolean; query: boolean; body: boolean },
): string[] {
  const named = NAMED.flatMap(([pattern, codes]) =>
    pattern.test(route.slice(route.indexOf('/'))) ? codes : [],
  );
  return [
    ...new Set([
      ...ANYWHERE,
      ...(asks.token ? WITH_TOKEN : []),
      ...(asks.right ? ['missing_right'] : []),
      ...(asks.query ? ['invalid_fields'] : []),
      ...(asks.body ? WITH_BODY : []),
      ...named,
      ...(OWN[route] ?? []),
    ]),
  ];
}
