import type { Actor } from '../../access/principal.js';

/** Bytes of the id of a job, and of that of a file. */
const ID_BYTES = 16;
const LENGTH = 2 * ID_BYTES + 1 + 4 + 4;
const KINDS = ['person', 'token'] as const;

/** Names the file that a link to an export opens, and who was shown it, for whose rights it stands. */
export interface ExportLink {
  jobId: Buffer;
  fileId: Buffer;
  clientId: number | null;
  actor: Pick<Actor, 'kind' | 'id'>;
}

/** Writes a link down, to be signed; null for who is neither a person nor a token. */
export function encodeLink({ jobId, fileId, clientId, actor }: ExportLink): Buffer | null {
  const kind = KINDS.findIndex((each) => each === actor.kind);
  if (kind < 0 || actor.id === null) return null;
  const reader = Buffer.alloc(LENGTH - 2 * ID_BYTES);
  reader.writeUInt8(kind);
  reader.writeUInt32BE(actor.id, 1);
  reader.writeUInt32BE(clientId ?? 0, 5);
  return Buffer.concat([jobId, fileId, reader]);
}

/** Reads what `encodeLink` wrote; null for anything else. */
export function decodeLink(payload: Buffer | null): ExportLink | null {
  const kind = payload?.length === LENGTH ? KINDS[payload.readUInt8(2 * ID_BYTES)] : undefined;
  if (!payload || kind === undefined) return null;
  return {
    jobId: payload.subarray(0, ID_BYTES),
    fileId: payload.subarray(ID_BYTES, 2 * ID_BYTES),
    actor: { kind, id: payload.readUInt32BE(2 * ID_BYTES + 1) },
    clientId: payload.readUInt32BE(2 * ID_BYTES + 5) || null,
  };
}
