import { ApiProperty } from '@nestjs/swagger';
import { Flag, Optional, Text } from '../../platform/kernel/validation.js';
import { QUERY_MAX } from '../../search/pages/dto/submission-query.dto.js';
import type { RejudgePreview } from '../queue/rejudge.service.js';

const BANDS = ['clean', 'held', 'spam'] as const;

/** Submissions to check again for spam. */
export class RejudgeDto {
  /** A line such as `from:7d is:held`, as lists take it; all but the trash without one. */
  @Text({ max: QUERY_MAX })
  @Optional()
  q?: string;

  /** True: only say what would move. */
  @Flag()
  @Optional()
  dry_run?: boolean;
}

/** How many would move from one verdict to another. */
export class RejudgeMoveDto {
  @ApiProperty({ enum: BANDS })
  from: (typeof BANDS)[number];
  @ApiProperty({ enum: BANDS })
  to: (typeof BANDS)[number];
  count: number;
}

/** Preview of checking submissions again for spam. */
export class RejudgeOutcomeDto {
  /** How many were judged: the newest, at most 1,000. */
  looked: number;
  /** Null when these were all; else up to when was looked back. */
  looked_to: string | null;
  /** How many stay as they are, since a person decided on them, starred, answered, finished or threw them away. */
  kept: number;
  /** Those that occur, the most frequent first. */
  moves: RejudgeMoveDto[];
}

export class RejudgePreviewDto {
  preview: RejudgeOutcomeDto;

  static of({ looked, lookedTo, kept, moves }: RejudgePreview): RejudgePreviewDto {
    return {
      preview: {
        looked,
        looked_to: lookedTo?.toISOString() ?? null,
        kept,
        moves: moves.map(({ from, to, count }) => ({ from, to, count })),
      },
    };
  }
}
