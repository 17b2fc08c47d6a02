import type { Caller, Service } from './service.js';

/** An import as the API shows it. */
export interface ImportBody {
  id: string;
  state: string;
  total: number | null;
  done: number;
  progress: number;
  imported: number;
  skipped: number;
  broken: number;
  broken_rows: { line: number; reason: string }[];
  files_missing: number;
  missing_files: { line: number; reason: string }[];
  error: { code: string; message: string } | null;
}

interface Form {
  identifier: string;
}

/** Address of a form's imports in the API. */
export const importsOf = ({ identifier }: Form) => `/api/v1/forms/${identifier}/imports` as const;

/** Sends the file of another service. */
export function sendFile(
  caller: Caller,
  form: Form,
  provider: string,
  file: string | Buffer,
  { path = '', ...options }: Record<string, string> = {},
) {
  const query = new URLSearchParams({ provider, ...options });
  return caller
    .post(`${importsOf(form)}${path}?${query}`)
    .set('Content-Type', 'application/octet-stream')
    .send(file);
}

/** Imports a file to its end, on a service whose workers are off. */
export async function imported(
  service: Service,
  caller: Caller,
  form: Form,
  provider: string,
  file: string | Buffer,
  options: Record<string, string> = {},
): Promise<ImportBody> {
  const { body } = await sendFile(caller, form, provider, file, options).expect(202);
  const { id } = body.import;
  await service.work('import');
  return shownImport(caller, form, id);
}

/** Returns an import as the API shows it now. */
export const shownImport = async (caller: Caller, form: Form, id: string): Promise<ImportBody> =>
  (await caller.read(`${importsOf(form)}/${id}`)).import;
