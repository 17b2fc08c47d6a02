import type { Service, Caller, FormBody } from './service.js';
import type { SubmissionBody } from './submissions.js';

/** A request to the address of a form. */
export interface Sent {
  method?: string;
  type?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** The response. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The text as JSON; null when it is none. */
  body: Record<string, unknown>;
}

/** Sends a request without following where the answer points. */
export async function send(url: string, { method = 'POST', type, body, headers }: Sent): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(type !== undefined && { 'Content-Type': type }), ...headers },
    // As bytes: for a text, fetch would add a content type.
    ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: asJson(text) };
}

function asJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Acts as the visitors of a form, and as its owner. */
export class Inbox {
  private constructor(
    private readonly service: Service,
    readonly owner: Caller,
    readonly form: FormBody,
  ) {}

  /** Makes a form of an account of its own. */
  static async open(service: Service, settings: object = {}): Promise<Inbox> {
    const owner = await service.openAccount();
    return new Inbox(service, owner, await owner.makeForm(settings));
  }

  /** Returns the same form at another instance. */
  at(service: Service): Inbox {
    return new Inbox(service, service.as(String(this.owner.secret)), this.form);
  }

  get url(): string {
    return `${this.service.url}/f/${this.form.identifier}`;
  }

  submit(sent: Sent, suffix = ''): Promise<Answer> {
    return send(this.url + suffix, sent);
  }

  /** Submits what must be accepted. Returns its id. */
  async accept(sent: Sent): Promise<string> {
    const { status, body, text } = await this.submit(sent);
    if (status !== 200) throw new Error(`Refused with ${status}: ${text}`);
    return body.id as string;
  }

  /** Reads the submission of this id, and the exact text that the API sent. */
  async read(id: string): Promise<{ submission: SubmissionBody; text: string }> {
    const { body, text } = await this.owner.get(`${this.path}/submissions/${id}`).expect(200);
    return { submission: body, text };
  }

  /** Submits what must be accepted, and reads its values back. */
  async values(sent: Sent): Promise<Record<string, unknown>> {
    return (await this.read(await this.accept(sent))).submission.values;
  }

  /** Returns all submissions, newest first, spam too. */
  all = async (): Promise<SubmissionBody[]> => (await this.owner.read(`${this.path}/submissions?spam=all`)).submissions;
  count = async (): Promise<number> => (await this.owner.read(this.path)).submission_count;

  private get path(): string {
    return `/api/v1/forms/${this.form.identifier}` as const;
  }
}

type Pairs = readonly (readonly [name: string, value: string])[];

/** Encodes values, each with a name of its own, as a browser does for a form. */
export const named = (values: Record<string, string>): Sent => urlencoded(Object.entries(values));

/** Encodes pairs as a browser does for a form. */
export function urlencoded(pairs: Pairs): Sent {
  const body = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
  return { type: 'application/x-www-form-urlencoded', body };
}

/** Encodes pairs as a JSON object; names may repeat. */
export function json(pairs: Pairs): Sent {
  const members = pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return { type: 'application/json', body: `{${members.join(',')}}` };
}

/** A file to send. */
export interface SentFile {
  field: string;
  name: string;
  bytes: Buffer | string;
  type?: string;
}

const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW';

/** Encodes pairs and files as a browser does for `enctype="multipart/form-data"`. */
export function multipart(pairs: Pairs, files: readonly SentFile[] = []): Sent {
  const parts = [
    ...pairs.map(([name, value]) => [`name="${quoted(name)}"`, Buffer.from(value)] as const),
    ...files.map(
      ({ field, name, bytes, type = 'application/octet-stream' }) =>
        [`name="${quoted(field)}"; filename="${quoted(name)}"\r\nContent-Type: ${type}`, Buffer.from(bytes)] as const,
    ),
  ];
  return rawMultipart(
    parts.map(([head, body]) => Buffer.concat([Buffer.from(`Content-Disposition: form-data; ${head}\r\n\r\n`), body])),
  );
}

/** Returns a multipart body of parts that are given with their headers. */
export function rawMultipart(parts: readonly (Buffer | string)[]): Sent {
  const body = Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`--${BOUNDARY}\r\n`), Buffer.from(part), Buffer.from('\r\n')]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body };
}

/** Escapes a name as the HTML standard does in multipart bodies. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
