import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { formatUuid } from '../../../platform/kernel/uuid.js';
import { Required, Text } from '../../../platform/kernel/validation.js';
import type { NoteWithMentions } from '../notes.service.js';
import { NOTE_MAX } from '../submission-note.entity.js';

export class NewNoteDto {
  /**
   * What is written, 1 to 10,000 characters. `@` and the name or the email address of somebody who sees the
   * submission mentions them: they are told by mail. A client mentions its own people alone.
   */
  @Text({ min: 1, max: NOTE_MAX, trim: true })
  @Required()
  text: string;
}

export class CreateNoteDto {
  @ValidateNested()
  @Type(() => NewNoteDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  note: NewNoteDto;
}

/** A person whom a note mentions. */
export class MentionDto {
  person_id: number;
  /** What the person was called then. */
  name: string;
}

/** A note on a submission. */
export class NoteDto {
  id: string;
  text: string;
  /** What the person or the token that wrote it was called then. */
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
