import type { Challenge } from 'altcha-lib/types';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { ChangeFormSettingsDto } from '../forms/dto/form.dto.js';
import { formatUuid, Nested, Optional } from '../platform/index.js';
import type { Visit } from '../statistics/visits.service.js';
import type { ThanksPreview } from './pages.js';
import { FLAVOUR_NAMES, type Flavour } from './snippets.js';

/** A challenge in the format of ALTCHA. */
export class ChallengeDto {
  /**
   * How a key is derived (`algorithm`, `cost`, `keyLength`, `nonce`, `salt`), how the one that is sought begins
   * (`keyPrefix`), for which form it is (`data`) and until when, in seconds since 1970 (`expiresAt`).
   */
  parameters: Record<string, unknown>;
  signature: string;

  static of({ parameters, signature = '' }: Challenge): ChallengeDto {
    return { parameters: { ...parameters }, signature };
  }
}

/** Texts that scripts show where no answer came. */
export class UnansweredDto {
  /** While the browser is offline. */
  offline: string;
  /** After all tries failed. */
  failed: string;
}

/** A token for the field `_token`, and what else a script needs to know before it sends a form. */
export class FormTokenDto {
  /** Good for a day, and for this form alone. */
  token: string;
  /** Whether the form asks for a proof of work. */
  proof: boolean;
  texts: UnansweredDto;
}

/** A visit to a page with a form, said in the query. */
export class VisitDto {
  /** Path of the page. */
  @IsString()
  page: string;

  /** Campaign that led there. */
  @IsString()
  @Optional()
  campaign?: string;

  /** Whether the visitor began to fill in the form. */
  @IsIn(['true', 'false'])
  @Optional()
  started?: 'true' | 'false';

  static of({ page, campaign = '', started }: VisitDto): Visit {
    return { page, campaign, isStarted: started === 'true' };
  }
}

/** The page or redirect that a visitor gets after sending. */
export class ThankYouPageDto {
  /** Where visitors go on to in place of the page; null when they see the page. */
  redirect_url: string | null;
  /** The page as an HTML document. */
  html: string;
  /** The submission that it is about; null when that is a sample. */
  submission_id: string | null;

  static of({ redirectUrl, page, submissionId }: ThanksPreview): ThankYouPageDto {
    return { redirect_url: redirectUrl, html: page.html, submission_id: submissionId && formatUuid(submissionId) };
  }
}

/** Settings to look at. */
export class PreviewThankYouPageDto {
  /** In place of the stored settings; those that are absent are the stored ones. */
  @Nested(() => ChangeFormSettingsDto)
  @Optional()
  form?: ChangeFormSettingsDto;
}

/** The snippets that are asked for. */
export class SnippetsQueryDto {
  /** The language or framework of the only snippet; all of them by default. */
  @IsIn(FLAVOUR_NAMES, { message: `must be one of ${FLAVOUR_NAMES.join(', ')}` })
  @Optional()
  @ApiPropertyOptional({ enum: FLAVOUR_NAMES })
  flavour?: Flavour;
}

/** Code that sends to the address of a form. */
export class SnippetDto {
  flavour: Flavour;
  /** Name of the language or framework. */
  name: string;
  /** Code to paste into a page, with the fields that the form lists. */
  code: string;
}

/** Snippets of a form, the plainest first. */
export class SnippetListDto {
  snippets: SnippetDto[];
}
