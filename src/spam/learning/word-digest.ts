import { hash } from 'node:crypto';
import { DIGEST_BYTES } from './spam-word.entity.js';

/** Returns what stands for a word in the tables, of DIGEST_BYTES. */
export function digestOf(word: string): Buffer {
  return Buffer.from(hash('sha256', word).slice(0, DIGEST_BYTES * 2), 'hex');
}
