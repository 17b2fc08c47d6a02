import { listOf } from '../../platform/http/index.js';
import { formatUuid } from '../../platform/index.js';
import { AssigneeDto } from '../assignees/assignee.dto.js';
import { DeliveryDto } from '../../submissions/deliveries/delivery.dto.js';
import { VerdictDto } from '../../submissions/verdicts/verdict.dto.js';
import type { ActKind } from '../../submissions/acts/submission-act.entity.js';
import type { Doer, TimelineEntry } from './timeline.service.js';

/** The author of an action on a submission. */
export class DoerDto {
  /** `operator` is the command line; null for what was done before this was kept. */
  kind: 'person' | 'token' | 'operator' | null;
  /** Id of the person or the token; null where `kind` is, and for the command line. */
  id: number | null;
  /** Its name at that time. */
  name: string;

  static of({ kind, id, name }: Doer): DoerDto {
    return { kind, id, name };
  }
}

/** A field whose value somebody changed. */
export class FieldChangeDto {
  field: string;
  /**
   * Its value before, as a person reads it, with an ellipsis where it was longer than 10,000 characters; null where
   * there was none.
   */
  before: string | null;
  /** The same of its value from then on; null where it was taken away. */
  after: string | null;
}

/** Something that happened to a submission; what it has nothing of is null. */
export class TimelineEntryDto {
  /** When, ISO 8601 in UTC: of a delivery when it was planned, of a look when that person first had it open. */
  at: string;
  what: 'received' | 'confirmed' | 'judged' | 'delivery' | 'note' | ActKind;
  /** Author of the entry; a client sees only authors who act for it. */
  by: DoerDto | null;
  /** Tag of `tagged` and `untagged`. */
  tag: string | null;
  /** Assignee of `assigned`. */
  assignee: AssigneeDto | null;
  /** Changed fields of `edited`; none where they are not kept any more. */
  changes: FieldChangeDto[] | null;
  /** Verdict of `judged`, as it is now. */
  verdict: VerdictDto | null;
  /** Delivery of `delivery`, with every attempt so far. */
  delivery: DeliveryDto | null;
  /** Id of the note of `note`, as the notes of the submission list it. */
  note_id: string | null;

  static of(entry: TimelineEntry): TimelineEntryDto {
    const blank = { tag: null, assignee: null, changes: null, verdict: null, delivery: null };
    const { what } = entry;
    const told = { at: entry.at.toISOString(), what, by: null, ...blank, note_id: null };
    switch (entry.what) {
      case 'received':
      case 'confirmed':
        return told;
      case 'judged':
        return { ...told, verdict: VerdictDto.of(entry.verdict) };
      case 'delivery':
        return { ...told, delivery: DeliveryDto.of(entry.delivery) };
      case 'note': {
        const { id, authorKind, authorId, authorName } = entry.note;
        const by = { kind: authorKind, id: authorId, name: authorName };
        return { ...told, by, note_id: formatUuid(id) };
      }
      default: {
        const { by, tag, assignee, changes } = entry;
        const isAssigned = what === 'assigned';
        return {
          ...{ ...told, tag },
          changes: changes && [...changes],
          by: by && DoerDto.of(by),
          assignee: isAssigned ? AssigneeDto.of(assignee ?? undefined) : null,
        };
      }
    }
  }
}

/** Activity of a submission, oldest first. */
export class TimelineDto extends listOf('timeline', TimelineEntryDto) {}
