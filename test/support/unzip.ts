import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const END_LENGTH = 22;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const DEFLATED = 8;

/** Returns the files of a ZIP archive by name, as text (APPNOTE 4.3; without ZIP64 and encryption). */
export function unzip(archive: Buffer): Record<string, string> {
  const end = archive.length - END_LENGTH;
  if (archive.readUInt32LE(end) !== END) throw new Error('This is no complete ZIP archive.');
  const files: Record<string, string> = {};
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('The directory is damaged.');
    const nameEnd = at + ENTRY_LENGTH + archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + ENTRY_LENGTH, nameEnd);
    const local = archive.readUInt32LE(at + 42);
    const start = local + LOCAL_LENGTH + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(start, start + archive.readUInt32LE(at + 20));
    const deflated = archive.readUInt16LE(at + 10) === DEFLATED;
    files[name] = (deflated ? inflateRawSync(bytes) : bytes).toString('utf8');
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
