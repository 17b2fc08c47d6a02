import { fstatSync, statSync } from 'node:fs';
import { mkdtemp, open, readdir, rm, utimes, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../../platform/config/config.js';
import { FileStore } from './file-store.js';

let folder: string;
let store: FileStore;
let handles: FileHandle;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fcs-store-'));
  store = new FileStore(Config.from({ DATA_DIR: folder }));
  const handle = await open(folder);
  handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

const receive = () => store.receive(bytes('a file'), () => undefined);
const nodeOf = (path: string) => statSync(path).ino;

/** The inodes of what is flushed from now on. */
function flushed(): Set<number> {
  const found = new Set<number>();
  // It is as good as flushed; what counts is that it was asked for.
  jest.spyOn(handles, 'sync').mockImplementation(function (this: FileHandle) {
    found.add(fstatSync(this.fd).ino);
    return Promise.resolve();
  });
  return found;
}

describe('A file', () => {
  it('is flushed before it counts as received', async () => {
    const seen = flushed();
    const { id } = await receive();
    expect(seen).toContain(nodeOf(join(folder, 'files/incoming', id.toString('hex'))));
  });

  it('is kept when the folder that names it is flushed, and all that lead to that', async () => {
    const { id } = await receive();
    const seen = flushed();
    await store.keep({ id });

    const shard = id.toString('hex').slice(0, 2);
    for (const path of ['files', 'files/kept', `files/kept/${shard}`]) {
      expect({ path, flushed: seen.has(nodeOf(join(folder, path))) }).toEqual({ path, flushed: true });
    }
  });

  it.each(['receive', 'putBack'] as const)('that a full disk refuses leaves nothing: %s', async (how) => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    jest.spyOn(handles, 'appendFile').mockRejectedValue(full);
    const writing = how === 'receive' ? receive() : store.putBack(Buffer.alloc(16, 1), bytes('a file'));

    await expect(writing).rejects.toMatchObject({ code: 'files_unavailable' });
    expect(await readdir(join(folder, 'files/incoming'))).toEqual([]);
  });
});

it('A look for old files goes on when some are moved meanwhile', async () => {
  const received = [];
  for (let n = 0; n < 40; n++) received.push(await receive());
  for (const { id } of received) {
    await utimes(join(folder, 'files/incoming', id.toString('hex')), 0, 0);
  }
  const [first, ...others] = received;
  const found: string[] = [];
  for await (const id of store.olderThan(new Date())) {
    // The folder has been read by now; only the first that is found stays where it is.
    if (found.length === 0) {
      for (const file of [first, ...others]) {
        if (file && !file.id.equals(id)) await store.remove(file.id);
      }
    }
    found.push(id.toString('hex'));
  }
  expect(found).toHaveLength(1);
});
