import { asked } from '../../platform/http/index.js';
import { formatUuid, Required, Text } from '../../platform/index.js';
import type { NoteWithMentions } from './notes.service.js';
import { NOTE_MAX } from './submission-note.entity.js';

class NewNoteDto {
  /**
   * Text of the note, 1 to 10,000 characters. `@` with the name or the email address of a person mentions them,
   * if they can see the submission: they get an email. A client can mention only its own people.
   */
  @Text({ min: 1, max: NOTE_MAX, trim: true })
  @Required()
  text: string;
}

export class CreateNoteDto extends asked('note', NewNoteDto) {}

/** A person whom a note mentions. */
export class MentionDto {
  person_id: number;
  /** Name of the person at that time. */
  name: string;
}

/** A note on a submission. */
export class NoteDto {
  id: string;
  text: string;
  /** Name of the author, a person or a token, at that time. */
  author: string;
  /** When it was written, ISO 8601 in UTC. */
  created_at: string;
  /** Whom it mentions, in the order of the text; a client is told of its own people alone. */
  mentions: MentionDto[];

  static of({ note, mentions }: NoteWithMentions): NoteDto {
    const { id, text, authorName, createdAt } = note;
    return {
      id: formatUuid(id),
      text,
      author: authorName,
      created_at: createdAt.toISOString(),
      mentions: mentions.map((mention) => ({ person_id: mention.id, name: mention.name })),
    };
  }
}

/** The notes on a submission, oldest first. */
export class NoteListDto {
  notes: NoteDto[];
}
