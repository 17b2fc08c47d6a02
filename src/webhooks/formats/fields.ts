import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { linkedFiles, type Extras, type LinkedFile } from './format.js';

/** Names of a JSON object with their values as JSON text, which keeps their order and long numbers. */
export type Members = Map<string, string>;

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
