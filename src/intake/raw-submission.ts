import type { StoredFile } from '../files/file-store.js';
import type { JsonMember } from '../platform/kernel/json-text.js';

/** What was read from a request, before any decision. */
export interface RawSubmission {
  /** Names and values as JSON text, in the order they were sent. */
  members: JsonMember[];
  files: StoredFile[];
}
