import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

const { DATA_DIR } = process.env;

/** Returns the fields and files of a multipart body. */
export function parseMultipart(type, body) {
  const boundary = Buffer.from(`--${type.split('boundary=')[1]}`);
  const [fields, files] = [[], []];
  let at = body.indexOf(boundary);
  for (let next; (next = body.indexOf(boundary, at + boundary.length)) > 0; at = next) {
    const head = body.indexOf('\r\n\r\n', at);
    const text = body.toString('utf8', at, head);
    const content = body.subarray(head + 4, next - 2);
    const name = / name="([^"]*)"/.exec(text)[1];
    const fileName = /filename="([^"]*)"/.exec(text)?.[1];
    if (fileName === undefined) fields.push([name, content.toString()]);
    else files.push({ name, fileName, content, type: /Content-Type: (.*)/.exec(text)[1] });
  }
  return { fields, files };
}

/** Writes files, flushes them, and returns their rows. */
export function keepFiles(files, formId, submissionId) {
  return Promise.all(
    files.map(async ({ name, fileName, content, type }, position) => {
      const id = randomBytes(16);
      const folder = join(DATA_DIR, 'kept', id.toString('hex', 0, 1));
      await mkdir(folder, { recursive: true });
      const path = join(folder, id.toString('hex'));
      await flushed(`${path}.part`, 'wx', (file) => file.writeFile(content));
      await rename(`${path}.part`, path);
      await flushed(folder, 'r', () => undefined);
      const digest = createHash('sha256').update(content).digest();
      return [id, formId, submissionId, position, name, fileName, type, content.length, digest];
    }),
  );
}

async function flushed(path, flags, work) {
  const file = await open(path, flags);
  await work(file);
  await file.sync();
  await file.close();
}
