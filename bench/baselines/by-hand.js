/** Shares the work that every baseline does by hand: reading a body, the row of a submission, listening. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseMultipart } from './files.js';

const { PORT } = process.env;

export function readAll(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

/** Returns names, values and files of a body in any of the three encodings. */
export function parse(type, body) {
  if (type.startsWith('application/json')) {
    return { fields: Object.entries(JSON.parse(body.toString())), files: [] };
  }
  if (type.startsWith('multipart/form-data')) return parseMultipart(type, body);
  return { fields: [...new URLSearchParams(body.toString())], files: [] };
}

export function submissionRow(id, formId, fields, { headers, socket }) {
  const texts = fields.map(([, value]) => value).join('\n');
  const address = socket.remoteAddress.replace(/(?<!\d)\d+$/, '0');
  const { origin = null, 'user-agent': agent = null } = headers;
  const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
  return [id, formId, 0, 0, time, JSON.stringify(fields), texts.toLowerCase(), origin, agent, address];
}

/** UUID version 7: rows that come one after the other lie beside each other. */
export function makeId() {
  const id = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
  id.writeUIntBE(Date.now(), 0, 6);
  id.writeUInt8(0x70 | (id.readUInt8(6) & 0x0f), 6);
  return id;
}

export function formatId(id) {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function digestOfToken({ headers }) {
  const secret = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  return createHash('sha256').update(secret).digest();
}

const FLAGS = ['notify_submitter', 'notify_owner_on_submission', 'show_submitted_values'];

/** Returns the row of a form as JSON shows it. */
export function formOf(row) {
  for (const flag of FLAGS) row[flag] = row[flag] === null ? null : row[flag] === 1;
  return row;
}

/**
 * Answers with JSON: the `{ status, body }` of `submit` or `read`, which get an identifier and the
 * request.
 */
export function serve(submit, read) {
  const server = createServer((request, response) => {
    const submission = request.method === 'POST' && /^\/f\/(\w+)$/.exec(request.url);
    const answer = submission
      ? submit(submission[1], request)
      : read(/^\/api\/v1\/forms(?:\/(\w+))?$/.exec(request.url)?.[1], request);
    answer
      .catch((error) => ({ status: 500, body: { error: error.message } }))
      .then(({ status, body }) => {
        const text = JSON.stringify(body);
        response.writeHead(status, {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(text),
        });
        response.end(text);
      });
  });
  listen(server);
}

/** @param server of Node or Express */
export function listen(server) {
  server.listen(Number(PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}
