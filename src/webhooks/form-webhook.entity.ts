import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FormatName } from './formats/formats.js';
import { makeWebhookSecret, type SignatureName } from './signatures/signatures.js';
import { DAY_MS } from '../platform/kernel/time.js';

/**
 * How long the previous secret signs beside the new one, in milliseconds, so that receivers can change over.
 */
const OVERLAP_MS = DAY_MS;
/** How long calls must fail until the webhook is disabled, in milliseconds. */
const FAILING_MAX_MS = 5 * DAY_MS;

/** Stores the webhook of a form: its secret, and whether its receiver answers. */
@Entity('form_webhooks')
export class FormWebhook {
  @PrimaryColumn('int') formId: number;
  @Column('varchar', { length: 128 }) secret: string;
  @Column('varchar', { length: 128, nullable: true }) previousSecret: string | null;
  @Column('datetime', { name: 'previous_secret_until', precision: 3, nullable: true })
  previousValidUntil: Date | null;
  /** Since when every call has failed; null after a success. */
  @Column('datetime', { precision: 3, nullable: true }) failingSince: Date | null;
  /** Set when it was disabled because every call failed. */
  @Column('datetime', { precision: 3, nullable: true }) disabledAt: Date | null;
  /** Which body it is sent. */
  @Column('varchar', { length: 32, default: 'standard' }) format: FormatName;
  /** How its calls are signed. */
  @Column('varchar', { length: 32, default: 'standard' }) signature: SignatureName;

  static create(formId: number, secret: string): FormWebhook {
    return Object.assign(new FormWebhook(), {
      formId,
      secret,
      previousSecret: null,
      previousValidUntil: null,
      failingSince: null,
      disabledAt: null,
      format: 'standard',
      signature: 'standard',
    } satisfies Partial<FormWebhook>);
  }

  get isDisabled(): boolean {
    return this.disabledAt !== null;
  }

  /** Returns when it is disabled if every call goes on failing; null while they do not fail. */
  get failsUntil(): Date | null {
    return this.failingSince && new Date(this.failingSince.getTime() + FAILING_MAX_MS);
  }

  /** Tells whether it is disabled because every call failed for too long, and not by hand. */
  get isGivenUp(): boolean {
    const { disabledAt, failsUntil } = this;
    return disabledAt !== null && failsUntil !== null && disabledAt >= failsUntil;
  }

  /** Returns the secrets that sign at this moment, the newest first. */
  secretsAt(now: Date): string[] {
    const former = this.overlapAt(now) === null ? null : this.previousSecret;
    return former === null ? [this.secret] : [this.secret, former];
  }

  /**
   * Returns until when the previous secret signs too; null when it does not at this moment. Only the standard
   * signature has room for two.
   */
  overlapAt(now: Date): Date | null {
    const { previousValidUntil: until, signature } = this;
    return signature === 'standard' && until !== null && until > now ? until : null;
  }

  /** Makes a new secret; the previous one signs for another day. */
  rotate(now: Date): void {
    this.previousSecret = this.secret;
    this.previousValidUntil = new Date(now.getTime() + OVERLAP_MS);
    this.secret = makeWebhookSecret();
  }

  /**
   * Records how a call ended.
   * @returns whether this call disables the webhook
   */
  note(succeeded: boolean, now: Date): boolean {
    if (succeeded) {
      this.failingSince = null;
      return false;
    }
    this.failingSince ??= now;
    const tooLong = now.getTime() - this.failingSince.getTime() >= FAILING_MAX_MS;
    if (!tooLong || this.isDisabled) return false;
    this.disabledAt = now;
    return true;
  }

  enable(): void {
    this.disabledAt = null;
    this.failingSince = null;
  }

  disable(now: Date): void {
    this.disabledAt ??= now;
  }
}
