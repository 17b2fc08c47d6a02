import { wrapped } from '../../platform/http/index.js';
import { MARKS_MIN, type Learnt } from './spam-lessons.service.js';
import type { LearntCount } from './likeness.js';

export class LearntCountDto {
  /** Submissions that were marked as spam. */
  spam: number;
  /** Submissions that were kept: marked as no spam, with a star, or done. */
  ham: number;

  static of({ spam, ham }: LearntCount): LearntCountDto {
    return { spam, ham };
  }
}

export class LearntDto {
  /** From marks of the account's own people and tokens; for all forms. */
  own: LearntCountDto;
  /** From marks of clients; each counts for its form alone. */
  by_clients: LearntCountDto;
  /** How many of each kind there have to be before anything is judged by them. */
  needed: number;

  static of({ own, byClients }: Learnt): LearntDto {
    return { own: LearntCountDto.of(own), by_clients: LearntCountDto.of(byClients), needed: MARKS_MIN };
  }
}

/** Spam training from marks. */
export class SpamLearningDto extends wrapped('learning', LearntDto) {}
