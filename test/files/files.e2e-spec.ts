import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseUnavailable } from '../../src/platform/database/sql.js';
import { FilesService } from '../../src/submissions/files/files.service.js';
import { DoctorService } from '../../src/operations/doctor/doctor.service.js';
import type { SubmittedFile } from '../../src/submissions/files/submitted-file.entity.js';
import { SigningService } from '../../src/platform/signed-links/signing.service.js';
import { WriterOverloaded } from '../../src/submissions/model/submission.errors.js';
import { SubmissionWriter } from '../../src/submissions/storage/submission-writer.js';
import { HOUR_MS } from '../support/clock.js';
import { ReadCounter } from '../support/reads.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type Caller } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { pathOf, type SubmissionBody } from '../support/submissions.js';
import { multipart, send } from '../support/submit.js';

const service = useService();
const owner = useOwner(service);
const form = useForm(owner);

/** Sends a file; gives the submission and the address of the file in the API. */
async function sent(content: Buffer | string, named?: { name?: string; type?: string }) {
  const submission = await owner.show(form, await service().submitFile(form, content, named));
  const [file] = submission.files;
  if (!file) throw new Error('The file is not there.');
  return { submission, file, path: new URL(file.url).pathname };
}

const bytesOf = async (caller: Caller, path: string) => (await caller.get(path).responseType('blob').expect(200)).body;

describe('Downloading a file', () => {
  it('gives every byte back', async () => {
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 7) % 256));
    const { path, file } = await sent(content);

    expect(await bytesOf(owner, path)).toEqual(content);
    expect(file.size).toBe(content.length);
  });

  it.each([
    ['page.html', 'text/html', '<script>alert(1)</script>'],
    ['picture.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['both.gif', 'image/gif', 'GIF89a/*<script>alert(1)</script>*/=1'],
    ['a.pdf.phtml', 'application/pdf', '%PDF-1.4 <?php system($_GET[1]);'],
    ['empty.txt', 'text/plain', ''],
    ['x', 'text/html; charset=utf-7', '+ADw-script+AD4-'],
  ])('lets no browser run or show %s', async (name, type, content) => {
    const { path } = await sent(content, { name, type });

    const { headers } = await owner.get(path).expect(200);

    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(Buffer.byteLength(content)),
      'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    });
  });

  it.each([
    ['..\\..\\x.txt', 'x.txt', 'x.txt'],
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['/etc/passwd', 'passwd', 'passwd'],
    ['C:\\a\\b.doc', 'b.doc', 'b.doc'],
    ['Lebenslauf Zoë.pdf', 'Lebenslauf Zo_.pdf', 'Lebenslauf%20Zo%C3%AB.pdf'],
    ['写.pdf', '_.pdf', '%E5%86%99.pdf'],
    ['50%.txt', '50_.txt', '50%25.txt'],
    ["it's (1)*.txt", "it's (1)*.txt", 'it%27s%20%281%29%2A.txt'],
    ['..', '..', '..'],
    ['dir/', 'file', 'file'],
  ])('names it harmlessly when it was called %j (S-04)', async (name, ascii, encoded) => {
    const { path, file } = await sent('x', { name });

    const { headers } = await owner.get(path).expect(200);

    expect(file.name).toBe(name.replace(/^.*[/\\]/, '')); // never a path
    expect(headers['content-disposition']).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`);
  });

  it.each([
    ['it is unknown whether it was stored', new DatabaseUnavailable(), 503, 1],
    ['something unforeseen happens', new Error('a bug'), 500, 1],
    ['it is certain that it was not stored', new WriterOverloaded(), 503, 0],
  ])('keeps the bytes of a file as long as they may be needed: %s', async (_, error, status, kept) => {
    const before = await storedNames(service());
    const store = jest.spyOn(service().app.get(SubmissionWriter), 'store');
    store.mockRejectedValueOnce(error);
    const file = { field: 'f', name: 'a.txt', bytes: 'x' };
    const answer = await send(`${service().url}/f/${form.identifier}`, multipart([], [file]));
    store.mockRestore();

    expect(answer.status).toBe(status);
    const left = (await storedNames(service())).filter((name) => !before.includes(name));
    expect(left).toHaveLength(kept);
    for (const name of left) await rm(join(service().config.dataDir, 'files', name));
  });

  it('says so, instead of breaking off, when the disk has lost it', async () => {
    const before = await storedNames(service());
    const { path } = await sent('lost');
    for (const name of await storedNames(service())) {
      if (!before.includes(name)) await rm(join(service().config.dataDir, 'files', name));
    }
    await owner
      .get(path)
      .expect(404)
      .expect('Content-Type', /problem\+json/);
  });
});

describe('A file on disk (S-04)', () => {
  it('has nothing but random hex in its name', async () => {
    const before = await storedNames(service());
    for (const name of ['a.php', '../../x', 'a.php', '']) await service().submitFile(form, 'x', { name });

    const names = (await storedNames(service())).filter((name) => !before.includes(name));

    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) expect(name).toMatch(/^kept\/([0-9a-f]{2})\/\1[0-9a-f]{30}$/);
  });

  it('is swept when nobody knows it for a day, and not before', async () => {
    await sent('known');
    const known = await storedNames(service());
    const folder = join(service().config.dataDir, 'files');
    const now = new Date();
    const names = { old: 'a'.repeat(32), young: 'b'.repeat(32), received: 'c'.repeat(32) };
    const paths = {
      old: join('kept', 'aa', names.old),
      young: join('kept', 'bb', names.young),
      received: join('incoming', names.received),
    };
    for (const [name, path] of Object.entries(paths)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), 'orphan');
      const age = name === 'young' ? 23 * HOUR_MS : 25 * HOUR_MS;
      const then = new Date(now.getTime() - age);
      await utimes(join(folder, path), then, then);
    }
    const old = new Date(now.getTime() - 48 * HOUR_MS);
    for (const name of known) await utimes(join(folder, name), old, old);

    await service().upkeep(now);
    expect(await storedNames(service())).toEqual([...known, paths.young].sort());

    await service().upkeep(new Date(now.getTime() + 2 * HOUR_MS));
    expect(await storedNames(service())).toEqual(known);
  });
});

it('Many files are swept with few questions', async () => {
  const folder = join(service().config.dataDir, 'files', 'kept', 'dd');
  const names = Array.from({ length: 60 }, (_, n) => `dd${String(n).padStart(30, '0')}`);
  const old = new Date(Date.now() - 25 * HOUR_MS);
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    await writeFile(join(folder, name), 'orphan');
    await utimes(join(folder, name), old, old);
  }

  const reads = await new ReadCounter(service()).during(() =>
    service().app.get(FilesService).sweep({ now: new Date() }),
  );

  const asked = reads.filter(({ sql }) => sql.includes('files'));
  expect(asked.length).toBeLessThan(names.length / 4);
  expect(await storedNames(service())).not.toContain(join('kept', 'dd', names[0] ?? ''));
});

describe('A signed link to a file', () => {
  const parse = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const linkTo = ({ id, files: [file] }: SubmissionBody, expiresAt: Date) => {
    const row = { formId: form.id, submissionId: parse(id), id: parse(file?.id ?? '') };
    return service()
      .app.get(FilesService)
      .link(row as SubmittedFile, expiresAt);
  };
  const soon = () => new Date(Date.now() + HOUR_MS);

  it('opens it without a token, with the same headers', async () => {
    const { submission, path } = await sent('hello');
    const link = await linkTo(submission, soon());
    const direct = await owner.get(path).expect(200);

    const { headers, body } = await service().anonymous().get(`/files/${link}`).responseType('blob').expect(200);

    expect(body).toEqual(Buffer.from('hello'));
    expect(link).toMatch(/^[\w-]+$/);
    for (const name of ['content-type', 'content-disposition', 'content-security-policy']) {
      expect(headers[name]).toBe(direct.headers[name]);
    }
  });

  it('opens nothing once it is altered, cut or too old', async () => {
    const { submission } = await sent('hello');
    const link = await linkTo(submission, soon());
    const bytes = Buffer.from(link, 'base64url');
    const altered = Array.from(bytes, (byte, at) => {
      const copy = Buffer.from(bytes);
      copy[at] = byte ^ 1;
      return copy.toString('base64url');
    });
    const expired = await linkTo(submission, new Date(Date.now() - 2_000));
    for (const bad of [...altered, link.slice(0, -2), link.slice(2), 'x', expired]) {
      await service().anonymous().get(`/files/${bad}`).expect(refusal(404, 'link_expired'));
    }
  });

  it('is not one that was signed for something else', async () => {
    const { submission } = await sent('hello');
    const payload = Buffer.from(await linkTo(submission, soon()), 'base64url').subarray(0, 36);
    const other = await service().app.get(SigningService).sign('thanks', payload, soon());
    await service().anonymous().get(`/files/${other}`).expect(refusal(404, 'link_expired'));
  });

  it('opens nothing once the submission is gone', async () => {
    const { submission } = await sent('hello');
    const link = await linkTo(submission, soon());
    await owner.delete(`${pathOf(form)}/${submission.id}`).expect(200);
    await service().anonymous().get(`/files/${link}`).expect(refusal(404, 'file_not_found'));
  });
});

it('Without CLAMD writes nothing about scans, and checks no clamd', async () => {
  await sent('X');
  const rows: unknown = await service().query('SELECT * FROM file_scans');
  expect(rows).toEqual([]);
  const findings = await service().app.get(DoctorService).examineQuickly();
  expect(findings.map(({ name }) => name)).not.toContain('virus scan');
});
