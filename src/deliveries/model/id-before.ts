/** Returns the id just below this one. */
export function before(id: Buffer): Buffer {
  const lower = Buffer.from(id);
  for (let i = lower.length - 1; i >= 0; i--) {
    const byte = lower.readUInt8(i);
    lower.writeUInt8(byte === 0 ? 0xff : byte - 1, i);
    if (byte !== 0) break;
  }
  return lower;
}
