import { ApiProperty } from '@nestjs/swagger';
import { Allow, IsInt, Max, Min } from 'class-validator';
import { parseEmailAddress, parseEmailList } from '../../platform/kernel/text/email-address.js';
import { Flag, Optional, Parsed, Text } from '../../platform/kernel/validation.js';
import { parseColour } from '../../platform/kernel/text/colour.js';
import { parseDomainList, parseHttpUrl, ALWAYS_OPEN, IntakeGate } from '../model/form-values.js';
import { asked, wrapped } from '../../platform/http/shapes.js';
import { parseMoment } from '../../platform/kernel/time/moment.js';

const LINE_MAX = 255;
const TEXT_MAX = 10_000;

const HttpUrl = (hint = '') =>
  Parsed(
    'not_a_url',
    parseHttpUrl,
    `must be an absolute http or https URL without user and password, of at most 2048 characters, such as https://example.com/thanks${hint}`,
  );

const Colour = () =>
  Parsed(
    'not_a_colour',
    parseColour,
    'must be a hex color such as #fff or #1a2b3c, or a CSS color name',
  );

/** The settings of a form besides its name. Absent: stays as it is. Null: cleared. */
export abstract class FormSettingsDto {
  /** Text shown to the visitor after sending, at most 10,000 characters. */
  @Text({ max: TEXT_MAX })
  @Optional()
  submission_text?: string;

  /** Called for each submission; http or https. */
  @HttpUrl('. For a URL with user and password add a destination of the kind webhook')
  @Optional({ nullable: true })
  webhook_url?: string | null;

  /** Where browsers go after sending; http or https. */
  @HttpUrl()
  @Optional({ nullable: true })
  redirect_url?: string | null;

  /** Whether the visitor gets an email. */
  @Flag()
  @Optional({ nullable: true })
  notify_submitter?: boolean | null;

  /** Sender address of the email to the visitor. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as hello@example.com')
  @Optional({ nullable: true })
  notify_submitter_from?: string | null;

  /** Sender name of the email to the visitor, at most 255 characters. */
  @Text({ max: LINE_MAX })
  @Optional({ nullable: true })
  notify_submitter_from_name?: string | null;

  /** Subject of the email to the visitor, at most 255 characters. */
  @Text({ max: LINE_MAX })
  @Optional({ nullable: true })
  notify_submitter_subject?: string | null;

  /** Body of the email to the visitor, at most 10,000 characters. */
  @Text({ max: TEXT_MAX })
  @Optional({ nullable: true })
  notify_submitter_body?: string | null;

  /** Whether the owner gets an email for each submission. */
  @Flag()
  @Optional()
  notify_owner_on_submission?: boolean;

  /** Recipients, comma-separated; the address of the account when null. */
  @Parsed(
    'not_an_email',
    parseEmailList,
    'must be email addresses separated by commas, of at most 2000 characters together, such as a@example.com,b@example.com',
  )
  @Optional({ nullable: true })
  notify_owner_emails?: string | null;

  /** Whether the visitor sees the submitted values after sending. */
  @Flag()
  @Optional()
  show_submitted_values?: boolean;

  /** Background colour of the page after sending. */
  @Colour()
  @Optional({ nullable: true })
  bg_color?: string | null;

  /** Text colour of that page. */
  @Colour()
  @Optional({ nullable: true })
  text_color?: string | null;

  /** Link colour of that page. */
  @Colour()
  @Optional({ nullable: true })
  link_color?: string | null;

  /**
   * Hosts or origins the form may be sent from, comma-separated or as an array:
   * `example.com`, `*.example.com`, `https://www.example.com`.
   */
  @Parsed(
    'not_a_domain',
    parseDomainList,
    'must list hosts or origins of at most 2000 characters together, such as example.com, *.example.com or https://www.example.com',
  )
  @Optional({ nullable: true })
  @ApiProperty({
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }],
  })
  whitelisted_domains?: string | string[] | null;

  /** Read-only: ignored, so that an object from GET can be sent back. */
  @Allow()
  @ApiProperty({ type: 'integer' })
  id?: unknown;

  /** Read-only: ignored. */
  @Allow()
  @ApiProperty({ type: 'string' })
  identifier?: unknown;

  /** Read-only: ignored. */
  @Allow()
  @ApiProperty({ type: 'integer' })
  submission_count?: unknown;
}

/** Times when a form takes submissions, and how many. */
class OpeningDto {
  /** Whether the form takes no submissions now. */
  paused: boolean;

  /** Sentence for visitors while it is closed; null for ours. */
  message: string | null;

  /** When it closes, ISO 8601 in UTC; null for never. */
  closes_at: string | null;

  /** Submissions that it takes in all, without spam; null for any number. */
  max_submissions: number | null;

  /** Whether equal submissions of one sender within seconds stand with the first one, and are told once. */
  merge_repeats: boolean;

  static of({ opening }: IntakeGate): OpeningDto {
    const { paused, message, closesAt, maxSubmissions, mergesRepeats } = opening;
    const closes_at = closesAt?.toISOString() ?? null;
    return {
      ...{ paused, message, closes_at, max_submissions: maxSubmissions },
      merge_repeats: mergesRepeats,
    };
  }
}

export class IntakeGateDto extends wrapped('intake', OpeningDto) {}

/** Longest message to visitors, in characters. */
const MESSAGE_MAX = 500;
/** Most submissions that a limit can name. */
const SUBMISSIONS_MAX = 1_000_000_000;
const SUBMISSIONS = { message: `must be a whole number from 1 to ${SUBMISSIONS_MAX}, or null` };

/** Times when a form takes submissions, and how many. Absent: its default. */
class SetOpeningDto {
  /** Whether the form takes no submissions now; false by default. */
  @Flag()
  @Optional()
  paused?: boolean;

  /** Sentence for visitors while it is closed, 1 to 500 characters; null, as by default, for ours. */
  @Text({ min: 1, max: MESSAGE_MAX, trim: true })
  @Optional({ nullable: true })
  message?: string | null;

  /** When it closes, ISO 8601; null, as by default, for never. */
  @Parsed('wrong_date', parseMoment, 'must be a date and time such as 2030-01-31T18:00+01:00')
  @Optional({ nullable: true })
  closes_at?: string | null;

  /** Submissions that it takes in all, from 1 on, without spam; null, as by default, for any number. */
  @Max(SUBMISSIONS_MAX, SUBMISSIONS)
  @Min(1, SUBMISSIONS)
  @IsInt(SUBMISSIONS)
  @Optional({ nullable: true })
  max_submissions?: number | null;

  /**
   * Whether equal submissions of one sender within ten seconds stand with the first one, and are told once; true by
   * default. False for forms where people at one computer send the same, such as votes.
   */
  @Flag()
  @Optional()
  merge_repeats?: boolean;
}

export class SetIntakeGateDto extends asked('intake', SetOpeningDto) {
  static gate({ intake }: SetIntakeGateDto): IntakeGate {
    const { paused, message, closes_at, max_submissions, merge_repeats } = intake;
    return new IntakeGate({
      paused: paused ?? ALWAYS_OPEN.paused,
      message: message ?? null,
      closesAt: closes_at == null ? null : new Date(closes_at),
      maxSubmissions: max_submissions ?? null,
      mergesRepeats: merge_repeats ?? ALWAYS_OPEN.mergesRepeats,
    });
  }
}
