import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, ValidateNested } from 'class-validator';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Optional, Required } from '../../platform/kernel/validation.js';
import type { DestinationPreview } from '../destination-previews.js';
import { DestinationChangesDto } from './destination.dto.js';

const PREVIEWED = ['email'] as const;

/** An email to look at. Only its settings count. */
export class PreviewedDestinationDto extends DestinationChangesDto {
  /** `email`, since only emails have a preview. */
  @ApiPropertyOptional({ enum: PREVIEWED })
  @IsIn(PREVIEWED, { message: 'must be email' })
  @Optional()
  kind?: (typeof PREVIEWED)[number];
}

export class PreviewDestinationDto {
  @ValidateNested()
  @Type(() => PreviewedDestinationDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  destination: PreviewedDestinationDto;
}

/** A name and an address that an email of a destination has. */
class PreviewedMailboxDto {
  /** Empty when there is none. */
  name: string;
  address: string;
}

/** An email of a destination as it would be sent now. */
export class DestinationPreviewDto {
  /** False where nobody would get it. */
  enabled: boolean;
  /** Everybody who gets it: `to`, `cc` and `bcc`. */
  recipients: string[];
  to: string[];
  cc: string[];
  bcc: string[];
  from: PreviewedMailboxDto;
  /** Where answers go; null when to the sender. */
  reply_to: PreviewedMailboxDto | null;
  subject: string;
  html: string;
  text: string;
  /** The submission that it is about; null when that is a sample. */
  submission_id: string | null;

  static of(preview: DestinationPreview): DestinationPreviewDto {
    const { isOn, recipients, to, cc, bcc, message, submissionId } = preview;
    const { from, replyTo, subject, html, text } = message;
    return {
      ...{ enabled: isOn, recipients, to, cc, bcc },
      from: { name: from.name, address: from.address },
      reply_to: replyTo && { name: replyTo.name, address: replyTo.address },
      ...{ subject, html, text },
      submission_id: submissionId && formatUuid(submissionId),
    };
  }
}
