import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { clientTypes, type ApiDocument } from '../support/client-types.js';

const DOCUMENT = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as ApiDocument;
/** Where the client would be; only its types are there, and in memory. */
const FOLDER = fileURLToPath(new URL('../', import.meta.url));

/** A client of types alone: what is sent and got follows from method and path. */
const CLIENT = `
import type { Routes, Schemas } from '../api.js';
type Asked<R extends keyof Routes> = Omit<Routes[R], 'answer'>;
declare function call<R extends keyof Routes>(
  route: R,
  ...asked: {} extends Asked<R> ? [Asked<R>?] : [Asked<R>]
): Promise<Routes[R]['answer']>;
`;

/** Uses each resource as its documentation says. */
const PROGRAM = `${CLIENT}
const form = await call('POST /api/v1/forms', { body: { form: { name: 'Contact' } } });
const path = { identifier: form.identifier };
const changed: string | null = (
  await call('PATCH /api/v1/forms/{identifier}', { path, body: { form: { webhook_url: null } } })
).webhook_url;
const names: string[] = (await call('GET /api/v1/forms', { query: { page: 2 } })).forms.map(
  ({ name }) => name,
);
const { days } = await call('PUT /api/v1/forms/{identifier}/retention', {
  path,
  body: { days: 30 },
});
const kept: number | null = days;

const client = await call('POST /api/v1/clients', {
  body: { client: { name: 'Jane', email: 'jane@example.com', form_ids: [form.id] } },
});
const theirs = await call('POST /api/v1/clients/{id}/tokens', {
  path: { id: client.id },
  body: { token: { name: 'Phone', rights: ['submissions:read'] } },
});
const secret: string = theirs.token;
for (const token of (await call('GET /api/v1/tokens')).tokens) {
  const last: string | null = token.last_used_at;
  await call('DELETE /api/v1/tokens/{id}', { path: { id: token.id } });
}

const page = await call('GET /api/v1/forms/{identifier}/submissions', {
  path,
  query: { per_page: 100, spam: 'all' },
});
for (const { id, values, spam_reason, files } of page.submissions) {
  const email: unknown = values['email'];
  const why: string | null = spam_reason;
  const at = { ...path, id };
  await call('PATCH /api/v1/forms/{identifier}/submissions/{id}', {
    path: at,
    body: { submission: { spam: true } },
  });
  const { deliveries } = await call(
    'GET /api/v1/forms/{identifier}/submissions/{id}/deliveries',
    { path: at },
  );
  for (const { kind, state, attempts } of deliveries) {
    const isWebhook: boolean = kind === 'webhook' && state === 'failed';
    const codes: (number | null)[] = attempts.map(({ code }) => code);
  }
  for (const file of files) {
    const bytes: Uint8Array = await call(
      'GET /api/v1/forms/{identifier}/submissions/{id}/files/{fileId}',
      { path: { ...at, fileId: file.id } },
    );
  }
}
const csv: string = await call('GET /api/v1/forms/{identifier}/submissions.csv', { path });
const xlsx: Uint8Array = await call('GET /api/v1/forms/{identifier}/submissions.xlsx', { path });
const { exists } = await call('GET /api/v1/forms/{identifier}/value_exists', {
  path,
  query: { field: 'email', value: 'jane@example.com' },
});
await call('POST /api/v1/forms/{identifier}/redeliveries', { path, body: {} });
const { webhook } = await call('GET /api/v1/forms/{identifier}/webhook', { path });
for (const { code } of (await call('GET /api/v1/forms/{identifier}/warnings', { path })).warnings) {
  // Every case is known, and no other: a program that forgets one does not compile.
  switch (code) {
    case 'nobody_is_told':
    case 'recipients_unconfirmed':
    case 'recipient_bounces':
    case 'mail_not_configured':
    case 'origins_refused':
    case 'captcha_unverified':
    case 'secret_unreadable':
    case 'webhook_disabled':
    case 'owner_email_failing':
    case 'submitter_email_failing':
    case 'destination_failing':
    case 'webhook_failing':
    case 'files_nearly_full':
    case 'intake_closed':
    case 'form_silent':
    case 'never_connected':
    case 'page_broken':
    case 'canary_failing':
    case 'visitors_refused':
    case 'verdicts_changed':
    case 'spam_rising':
    case 'opt_in_failing':
      break;
    default:
      const none: never = code;
  }
}

const invited = await call('POST /api/v1/people', {
  body: { person: { email: 'ann@example.com', name: 'Ann', role: 'editor' } },
});
const link: string | null = invited.link;
for (const { role, disabled } of (await call('GET /api/v1/people')).people) {
  const isOwner: boolean = role === 'owner' && !disabled;
}
for (const { action, actor } of (await call('GET /api/v1/audit')).entries) {
  const who: 'person' | 'token' | 'operator' = actor.kind;
}
const { account, token } = await call('GET /api/v1/me');
const { status } = await call('GET /health/ready');
export {};
`;

/** Code with one mistake per line, which must not compile. */
const MISTAKES = [
  `await call('GET /api/v1/form');`,
  `await call('GET /api/v1/forms/{identifier}');`,
  `await call('POST /api/v1/forms', { body: { name: 'Contact' } });`,
  `await call('POST /api/v1/clients', { body: { client: { name: 'Jane' } } });`,
  `await call('POST /api/v1/tokens', { body: { token: { name: 'x', rights: ['forms:reed'] } } });`,
  `(await call('GET /api/v1/people')).people[0]!.role === 'admin';`,
  `const id: string = (await call('GET /api/v1/forms')).forms[0]!.id;`,
  `(await call('GET /api/v1/forms/{identifier}/warnings', { path: { identifier: '' } })).warnings[0]!.code === 'x';`,
];

/** Type-checks a program strictly against the types; returns the messages. */
function complaints(program: string): string[] {
  const sources = new Map([
    [`${FOLDER}api.ts`, clientTypes(DOCUMENT)],
    [`${FOLDER}program.ts`, program],
  ]);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ['lib.es2023.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  const readFile = host.readFile.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...more) => {
    const text = sources.get(path);
    if (text === undefined) return getSourceFile(path, ...more);
    return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
  };
  const built = ts.createProgram([...sources.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(built)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('A client that is generated from openapi.json', () => {
  it('lets a strict program use every resource', () => {
    expect(complaints(PROGRAM)).toEqual([]);
  });

  it('tells of each mistake', () => {
    const lines = MISTAKES.flatMap((mistake) => ['// @ts-expect-error it does not fit', mistake]);
    expect(complaints(`${CLIENT}${lines.join('\n')}\nexport {};`)).toEqual([]);
  });
});
