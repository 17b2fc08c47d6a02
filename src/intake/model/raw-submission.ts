import type { StoredFile } from '../../files/file-store.js';
import type { JsonMember } from '../../platform/kernel/text/json-text.js';

/** The content of a request, before any rule is applied. */
export interface RawSubmission {
  /** Names and values as JSON text, in the order they were sent. */
  members: JsonMember[];
  files: StoredFile[];
}
