import { randomBytes } from 'node:crypto';
import { Column, Entity, Index, PrimaryGeneratedColumn, PrimaryColumn } from 'typeorm';
import { GoesWith, Time } from '../../platform/database/index.js';
import type { Scope } from '../../accounts/access/index.js';
import { FormFields } from './form-fields.js';
import { decodePreview, encodePreview } from './form-values.js';
import {
  DEFAULTS,
  EXTRAS,
  FORM_SETTINGS,
  NO_EXTRAS,
  type FormChange,
  type FormExtras,
  type FormSettings,
} from './form-settings.js';
import { TooManyRecipients } from './form.errors.js';

/** Most recipients of owner mails of a form: each submission sends a mail to every one. */
const RECIPIENTS_MAX = 10;

const FORMER = { nullable: true, select: false, insert: false, update: false } as const;

/** A form as programs see it. */
export type FormView = FormSettings & Pick<Form, 'id' | 'identifier' | 'submissionCount'>;

/** Stores a form: settings of an account under a public identifier. */
@Entity('forms')
@Index('uq_forms_identifier', ['identifier'], { unique: true })
@Index('ix_forms_account', ['accountId', 'id'])
@Index('ix_forms_purge', ['purgedAt', 'deletedAt'])
export class Form implements FormSettings {
  @PrimaryGeneratedColumn() id: number;
  @Column('int') accountId: number;
  /** The client that made the form, and may change it; null for one that the account made. */
  @Column({ type: 'int', nullable: true, update: false }) madeByClientId: number | null;
  @Column('varchar', { length: 16 }) identifier: string;
  @Column('varchar', { length: 255 }) name: string;
  @Column('text') submissionText: string;
  @Column('text', { nullable: true }) webhookUrl: string | null;
  @Column('text', { nullable: true }) redirectUrl: string | null;
  @Column('boolean', { nullable: true }) notifySubmitter: boolean | null;
  @Column('varchar', { length: 255, nullable: true }) notifySubmitterFrom: string | null;
  @Column('varchar', { length: 255, nullable: true }) notifySubmitterFromName: string | null;
  @Column('varchar', { length: 255, nullable: true }) notifySubmitterSubject: string | null;
  @Column('text', { nullable: true }) notifySubmitterBody: string | null;
  @Column('boolean') notifyOwnerOnSubmission: boolean;
  @Column('text', { nullable: true }) notifyOwnerEmails: string | null;
  @Column('boolean') showSubmittedValues: boolean;
  @Column('varchar', { length: 32, nullable: true }) bgColor: string | null;
  @Column('varchar', { length: 32, nullable: true }) textColor: string | null;
  @Column('varchar', { length: 32, nullable: true }) linkColor: string | null;
  @Column('text', { nullable: true }) whitelistedDomains: string | null;
  /** Changed only by relative updates, in the transactions that change submissions. */
  @Column({ type: 'int', default: 0, update: false }) submissionCount: number;
  /** Bytes of the files of all its submissions; changes with the count. */
  @Column({ type: 'bigint', default: 0, update: false, transformer: { from: Number, to: (bytes: number) => bytes } })
  filesBytes: number;
  /** How often submissions of it were erased; counted as they are removed, and read where it matters. */
  @Column({ type: 'int', default: 0, insert: false, update: false, select: false })
  erasures?: number;
  /** Submissions older than this many days are removed; null keeps them. */
  @Column('int', { nullable: true }) retentionDays: number | null;
  /** Its fields as `FormFields` encodes them; null for none that are known. */
  @Column('mediumtext', { nullable: true }) formFields: string | null;
  /** The owner's changes to spam settings, as `SpamSettings` encodes them; null for none. */
  @Column('mediumtext', { nullable: true }) spamSettings: string | null;
  /** The fields that its rows show: a choice (`encodePreview`), what was learnt (`encodeLearnt`), or null for neither. */
  @Column('mediumtext', { nullable: true }) previewFields: string | null;
  /** The times when it takes submissions, as `IntakeGate` encodes it; null for always. */
  @Column('mediumtext', { nullable: true }) intakeGate: string | null;
  /** Provider whose answers visitors get; null for that of the address they send to. */
  @Column('varchar', { length: 16, nullable: true }) dialect: string | null;
  /** The mails to its visitors besides the settings, as `VisitorMail` encodes it; null for the defaults. */
  @Column('mediumtext', { nullable: true }) visitorMail: string | null;
  /** Tags separated by commas, of which a submission has one at most; null for none. */
  @Column('varchar', { length: 500, nullable: true }) statuses: string | null;
  /** One of LANGUAGES; null for that of each visitor. */
  @Column('varchar', { length: 16, nullable: true }) language: string | null;
  /** The owner's texts in other languages, as `TRANSLATIONS` encodes them; null for none. */
  @Column('mediumtext', { nullable: true }) translations: string | null;
  /** Its own page, as `PAGE` encodes it; null for none. */
  @Column('mediumtext', { nullable: true }) visitorPage: string | null;
  /** Columns that the version before reads and this one does not; the release after the next drops them. */
  @Column('mediumtext', FORMER) fieldLabels?: string | null;
  @Column('mediumtext', FORMER) fieldRules?: string | null;
  @Time() createdAt: Date;
  /** When the form was deleted; the row stays, so that no other form gets its identifier. */
  @Time({ nullable: true }) deletedAt: Date | null;
  /** When the last of a deleted form's submissions was removed. */
  @Time({ nullable: true }) purgedAt: Date | null;

  /** @throws TooManyRecipients */
  static create(
    { accountId, clientId }: Scope,
    settings: Pick<FormSettings, 'name'> & Partial<FormSettings>,
    now: Date,
  ): Form {
    const form = Object.assign(new Form(), DEFAULTS, {
      accountId,
      madeByClientId: clientId,
      identifier: randomBytes(8).toString('hex'),
      submissionCount: 0,
      filesBytes: 0,
      createdAt: now,
      ...NO_EXTRAS,
      deletedAt: null,
      purgedAt: null,
    });
    form.change(settings);
    return form;
  }

  /** Returns the settings without the name. */
  get settings(): Omit<FormSettings, 'name'> {
    return FORM_SETTINGS.of(this);
  }

  /** Returns what the form has besides settings. */
  get extras(): FormExtras {
    const names = Object.keys(EXTRAS) as (keyof FormExtras)[];
    // `fromEntries` forgets the names.
    return Object.fromEntries(names.map((name) => [name, this[name]])) as unknown as FormExtras;
  }

  get fields(): FormFields {
    return FormFields.decode(this.formFields);
  }

  /** Returns the columns that have these fields; which of them rows show is a column of its own, which lists read. */
  withFields(fields: FormFields): Pick<FormExtras, 'formFields' | 'previewFields'> {
    const { inInbox } = fields;
    const previewFields = inInbox
      ? encodePreview(inInbox)
      : decodePreview(this.previewFields)
        ? null
        : this.previewFields;
    return { formFields: fields.encode(), previewFields };
  }

  /** Returns the addresses in `notify_owner_emails`; none when it is null. */
  get ownerRecipients(): string[] {
    return (this.notifyOwnerEmails ?? '').split(',').filter((address) => address !== '');
  }

  /**
   * Applies the settings that are given; the others stay. A list of recipients that is already
   * stored stays valid, however long it is.
   * @throws TooManyRecipients
   */
  change(settings: FormChange) {
    const { notifyOwnerEmails } = this;
    Object.assign(this, settings);
    if (this.notifyOwnerEmails === notifyOwnerEmails) return;
    if (this.ownerRecipients.length > RECIPIENTS_MAX) throw new TooManyRecipients(RECIPIENTS_MAX);
  }

  /** Returns a copy with other settings, to be looked at and not stored. @throws TooManyRecipients */
  with(settings: FormChange): Form {
    const copy = Object.assign(new Form(), this);
    copy.change(settings);
    return copy;
  }

  /** Deletes the form, with everything that its owner wrote into it. */
  delete(now: Date) {
    const empty = { name: '', notifyOwnerOnSubmission: false, ...NO_EXTRAS };
    Object.assign(this, DEFAULTS, empty, { deletedAt: now });
  }
}

/** Largest file that goes along with the mails of a form, in bytes: each mail carries it. */
export const ATTACHMENT_MAX_BYTES = 2 * 1024 * 1024;
/** Longest name of such a file, in characters. */
export const ATTACHMENT_NAME_MAX = 100;

/** A file that goes along, without its bytes. */
export type VisitorAttachmentFacts = Pick<VisitorAttachment, 'name' | 'mediaType' | 'size'>;

/** Stores the file that goes along with each mail of a form to a visitor. */
@Entity('visitor_attachments')
@GoesWith<VisitorAttachment>('formId')
export class VisitorAttachment {
  @PrimaryColumn('int') formId: number;
  @Column('varchar', { length: 255 }) name: string;
  @Column('varchar', { length: 100 }) mediaType: string;
  @Column('int') size: number;
  @Column('mediumblob', { select: false }) content: Buffer;
}
