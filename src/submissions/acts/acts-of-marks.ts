import { assigneeIn, STARRED, tagsIn } from '../filter/mark-names.js';
import type { Act } from './submission-act.entity.js';
import type { ActOnMany } from './submission-acts.service.js';

/** Returns what it is to give a submission this mark. */
export function actOfGiving(mark: string): Act {
  const [tag] = tagsIn([mark]);
  if (tag !== undefined) return { kind: 'tagged', detail: tag };
  const person = assigneeIn([mark]);
  if (person !== null) return { kind: 'assigned', detail: String(person) };
  return { kind: mark === STARRED ? 'starred' : 'answered', detail: null };
}

/** Returns what it is to take this tag, star or answer from a submission. */
export function actOfTaking(mark: string): Act {
  const [tag] = tagsIn([mark]);
  if (tag !== undefined) return { kind: 'untagged', detail: tag };
  return { kind: mark === STARRED ? 'unstarred' : 'not_answered', detail: null };
}

/** Returns what is done to a submission that is moved to a folder; nothing where it is there already. */
export function actsOfMoving(
  id: Buffer,
  was: { spam: boolean; trash: boolean },
  { spam = was.spam, trash = was.trash }: { spam?: boolean; trash?: boolean },
): ActOnMany[] {
  const acts: Act['kind'][] = [];
  if (spam !== was.spam) acts.push(spam ? 'spam' : 'not_spam');
  if (trash !== was.trash) acts.push(trash ? 'trashed' : 'restored');
  return acts.map((kind) => ({ kind, detail: null, ids: [id] }));
}
