import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, ValidateNested } from 'class-validator';
import { MailPreviewDto } from '../../mail/dto/mails.dto.js';
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

/** An email of a destination as it would be sent now; `enabled` is false where nobody would get it. */
export class DestinationPreviewDto extends MailPreviewDto {
  to: string[];
  cc: string[];
  bcc: string[];

  static override of(preview: DestinationPreview): DestinationPreviewDto {
    const { to, cc, bcc } = preview;
    return Object.assign(MailPreviewDto.of(preview), { to, cc, bcc });
  }
}
