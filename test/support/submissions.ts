import request from 'supertest';
import { DataSource } from 'typeorm';
import { firstUuidAt, formatUuid, parseUuid, timeOf } from '../../src/platform/kernel/uuid.js';
import { MINUTE_MS } from './clock.js';
import type { Caller, Service } from './service.js';

/** A submission as the API shows it. */
export interface SubmissionBody {
  id: string;
  created_at: string;
  values: Record<string, unknown>;
  spam: boolean;
  spam_reason: string | null;
  trash: boolean;
  origin: string | null;
  files: {
    id: string;
    field: string;
    name: string;
    type: string;
    size: number;
    sha256: string;
    url: string;
  }[];
  [more: string]: unknown;
}

/** A page of submissions as the API shows it. */
export interface SubmissionListBody {
  submissions: SubmissionBody[];
  held: string[];
  previous_page: string | null;
  prev_page: string | null;
  next_page: string | null;
  next_page_number: number | null;
  prev_page_number: number | null;
  first_url: string;
  last_url: string;
  items: number;
  count: number;
}

interface Form {
  identifier: string;
}

/** Address of a form's submissions in the API. */
export const pathOf = ({ identifier }: Form) => `/api/v1/forms/${identifier}/submissions` as const;

let visitors = 0;
/** Returns the headers of one more visitor: what one of them sends twice at once is told once. */
const ofVisitor = () => ({
  Accept: 'application/json',
  'User-Agent': `visitor/${++visitors}`,
});

/** Sends values through a form as JSON; returns the id of the submission. */
export async function submit(
  { url }: Service,
  form: Form,
  values: object = { message: 'Hello' },
  headers: Record<string, string> = {},
): Promise<string> {
  const { body } = await request(url)
    .post(`/f/${form.identifier}`)
    .set({ ...ofVisitor(), ...headers })
    .send(values)
    .expect(200);
  return body.id;
}

/** Sends values that are taken for spam. */
export function submitSpam(service: Service, form: Form, values: object): Promise<string> {
  return submit(service, form, { ...values, _gotcha: 'x' });
}

/** Sends names and values, repeated names too, as a browser encodes a form. */
export async function submitPairs(
  { url }: Service,
  form: Form,
  pairs: [string, string][] | Record<string, string>,
): Promise<string> {
  const { body } = await request(url)
    .post(`/f/${form.identifier}`)
    .set(ofVisitor())
    .send(new URLSearchParams(pairs).toString())
    .expect(200);
  return body.id;
}

/** Sends one value and a file, as a browser encodes a form with an upload; its name may hold anything. */
export async function submitFile(
  { url }: Service,
  form: Form,
  content: Buffer | string,
  { name = 'cv.pdf', type = 'application/pdf', email = 'jane@example.com' } = {},
): Promise<string> {
  const body = new FormData();
  body.set('email', email);
  body.set(
    'cv',
    new File([typeof content === 'string' ? content : Buffer.from(content)], name, { type }),
  );
  const headers = ofVisitor();
  const response = await fetch(`${url}/f/${form.identifier}`, { method: 'POST', headers, body });
  const { id } = (await response.json()) as { id?: string };
  if (id === undefined) throw new Error(`The file was answered with ${response.status}.`);
  return id;
}

/** Returns one page of a form's submissions. */
export const listed = (caller: Caller, form: Form, query = ''): Promise<SubmissionListBody> =>
  caller.read(`${pathOf(form)}?${query}`);

/** Shows one submission. */
export const shown = (caller: Caller, form: Form, id: string): Promise<SubmissionBody> =>
  caller.read(`${pathOf(form)}/${id}`);

/** Returns the count that a form shows. */
export const countOf = async (caller: Caller, { identifier }: Form): Promise<number> =>
  (await caller.read(`/api/v1/forms/${identifier}`)).submission_count;

/** Gives a submission the id that an instance whose clock is two minutes ahead would have given. @returns it */
export async function setAhead(service: Service, id: string): Promise<string> {
  const before = parseUuid(id);
  if (!before) throw new Error(`${id} is no id`);
  const ahead = firstUuidAt(new Date(timeOf(before).getTime() + 2 * MINUTE_MS));
  await service.app
    .get(DataSource)
    .query('UPDATE submissions SET id = ? WHERE id = ?', [ahead, before]);
  return formatUuid(ahead);
}
