import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { formatUuid } from '../../../platform/kernel/uuid.js';
import { Required, Text } from '../../../platform/kernel/validation.js';
import { NOTE_MAX, type SubmissionNote } from '../submission-note.entity.js';

export class NewNoteDto {
  /** What is written, 1 to 10,000 characters. */
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

/** A note on a submission. */
export class NoteDto {
  id: string;
  text: string;
  /** What the person or the token that wrote it was called then. */
  author: string;
  /** When it was written, ISO 8601 in UTC. */
  created_at: string;

  static of({ id, text, authorName, createdAt }: SubmissionNote): NoteDto {
    return {
      id: formatUuid(id),
      text,
      author: authorName,
      created_at: createdAt.toISOString(),
    };
  }
}

/** The notes on a submission, oldest first. */
export class NoteListDto {
  notes: NoteDto[];
}
