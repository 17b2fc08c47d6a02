import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';

/** Holds what a call says of a submission besides what was sent. */
export interface Extras {
  /** One for each file, in order; they work without a token and expire. */
  fileLinks: readonly string[];
}

/** A body as it is sent: its exact text, what it is, and headers that go with it. */
interface WebhookBody {
  text: string;
  contentType: string;
  headers: Record<string, string>;
}

/** Writes the body of a call about a submission. */
export type WebhookFormat = (full: SubmissionInFull, extras: Extras) => WebhookBody;

/** A file with the link to it. */
interface LinkedFile {
  field: string;
  name: string;
  type: string;
  size: number;
  url: string;
}

/** Makes a body of JSON text. */
export function jsonBody(text: string, headers: Record<string, string> = {}): WebhookBody {
  return { text, contentType: 'application/json', headers };
}

export function idOf({ submission }: SubmissionInFull): string {
  return formatUuid(submission.id);
}

export function linkedFiles({ files }: SubmissionInFull, { fileLinks }: Extras): LinkedFile[] {
  return files.map(({ field, name, mediaType: type, size }, index) => ({
    ...{ field, name, type, size },
    url: fileLinks[index] ?? '',
  }));
}

/** Names of a JSON object with their values as JSON text, which keeps their order and long numbers. */
type Members = Map<string, string>;

/** Returns the fields in the order they were sent; a repeated name has the list of its values. */
export function fieldsOf({ submission }: SubmissionInFull): Members {
  return collected(submission.values.members.map(({ name, json }) => [name, json]));
}

/** Returns the fields, and each file under the name of its field. */
export function fieldsAndFiles(
  full: SubmissionInFull,
  extras: Extras,
  write: (file: LinkedFile) => unknown = ({ url }) => url,
  nameOf: (field: string) => string = (field) => field,
): Members {
  const files = linkedFiles(full, extras).map(
    (file) => [nameOf(file.field), JSON.stringify(write(file))] as const,
  );
  const fields = full.submission.values.members.map(({ name, json }) => [name, json] as const);
  return collected([...fields, ...files]);
}

/** Writes an object; a member that is given twice has its later value. */
export function objectOf(...members: Iterable<readonly [string, string]>[]): string {
  const byName = new Map(members.flatMap((some) => [...some]));
  return `{${[...byName].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/** Turns plain values into members. */
export function membersOf(plain: object): Members {
  return new Map(Object.entries(plain).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Returns the first value that is filled in, of the fields whose names fit; null when none is. */
export function textOf({ submission }: SubmissionInFull, names: RegExp): string | null {
  const filled = submission.texts.find(({ name, text }) => names.test(name) && text.trim() !== '');
  return filled?.text ?? null;
}

function collected(pairs: readonly (readonly [string, string])[]): Members {
  const byName = new Map<string, string[]>();
  for (const [name, json] of pairs) {
    const values = byName.get(name);
    if (values) values.push(json);
    else byName.set(name, [json]);
  }
  return new Map(
    [...byName].map(([name, values]) => [
      name,
      values.length === 1 ? (values[0] ?? '') : `[${values.join(',')}]`,
    ]),
  );
}
