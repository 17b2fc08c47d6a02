import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import type { Check, Outcome } from './check.js';

const MEBIBYTE = 1024 ** 2;
/** Growth of a submission in a statement: escaping may double it in JSON, and again in SQL. */
const GROWTH = 4;
/**
 * Longest column of the database in bytes (MEDIUMTEXT): longer submissions are refused whatever the server
 * takes.
 */
const NEEDED_MAX_BYTES = 16 * MEBIBYTE;

/** Checks that the database server takes the largest submission that this service takes. */
@Injectable()
export class PacketCheck implements Check {
  readonly name = 'packet size';
  readonly settings = ['max_allowed_packet', 'MAX_BODY_BYTES'];

  constructor(
    private readonly database: DatabaseStatus,
    private readonly config: Config,
  ) {}

  async run(): Promise<Outcome> {
    if (this.database.isEmbedded) {
      return { state: 'ok', detail: 'The embedded database accepts statements of any length.' };
    }
    const { max_allowed_packet: bytes } = await this.database.settings('max_allowed_packet');
    return judgePacket(Number(bytes), this.config.intake.maxBodyBytes);
  }
}

/**
 * @param bytes `max_allowed_packet` of the server
 * @param maxBodyBytes of a submission, without files
 */
export function judgePacket(bytes: number, maxBodyBytes: number): Outcome {
  const needed = Math.min(maxBodyBytes * GROWTH, NEEDED_MAX_BYTES);
  const detail = `max_allowed_packet=${bytes} MAX_BODY_BYTES=${maxBodyBytes}`;
  if (bytes >= needed) return { state: 'ok', detail };
  return {
    state: 'warning',
    detail: `${detail}. Long submissions are refused with 413. Set max_allowed_packet to ${needed} or more on the server, or lower MAX_BODY_BYTES here.`,
  };
}
