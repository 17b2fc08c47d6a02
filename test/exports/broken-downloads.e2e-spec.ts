import { truncate, appendFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { FileStore } from '../../src/submissions/files/file-store.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';

const SIZE = 300_000;
const service = useService();
const owner = useOwner(service);
const form = useForm(owner);
/** Stores a file; gives its address in the API and its place on disk. */
async function stored(): Promise<{ url: string; path: string }> {
  const before = await storedNames(service());
  const id = await service().submitFile(form, Buffer.alloc(SIZE, 'a'));
  const [name = ''] = (await storedNames(service())).filter((each) => !before.includes(each));
  const { files } = await owner.show(form, id);
  const path = join(service().config.dataDir, 'files', name);
  return { url: service().url + new URL(files[0]?.url ?? '').pathname, path };
}

/** Downloads a file. @returns how much came, and whether it was complete */
async function download(url: string) {
  const headers = { Authorization: `Bearer ${owner.secret ?? ''}` };
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const isCut = await once(response, 'end').then(
    () => false,
    () => true,
  );
  return { status: response.statusCode, bytes, isCut };
}

describe('A download that fails on the way', () => {
  it.each([
    ['fewer bytes than it had', (path: string) => truncate(path, SIZE / 2)],
    ['none of its bytes', (path: string) => truncate(path, 0)],
    ['more bytes than it had', (path: string) => appendFile(path, Buffer.alloc(SIZE))],
  ])('is cut and logged, when the file on disk has %s', async (_, harm) => {
    const { url, path } = await stored();
    expect(await download(url)).toEqual({ status: 200, bytes: SIZE, isCut: false });
    await harm(path);
    const before = service().log.length;

    const { status, isCut } = await download(url);

    expect({ status, isCut }).not.toEqual({ status: 200, isCut: false });
    expect(service().log.slice(before)).toContain('another size on disk');
  });

  it('is cut and logged, when the disk cannot be read any further', async () => {
    const { url } = await stored();
    const broken = new PassThrough();
    broken.write(Buffer.alloc(SIZE / 2, 'a'));
    setImmediate(() => broken.once('drain', () => broken.destroy(new Error('EIO: a bad sector'))));
    jest.spyOn(service().app.get(FileStore), 'find').mockResolvedValue(broken as never);
    const before = service().log.length;

    const { status, isCut, bytes } = await download(url);

    expect({ status, isCut }).toEqual({ status: 200, isCut: true });
    expect(bytes).toBeLessThan(SIZE);
    expect(service().log.slice(before)).toContain('EIO: a bad sector');
  });
});
