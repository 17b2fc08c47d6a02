import type { EntityManager } from 'typeorm';
import type { Scope } from '../../access/principal.js';
import type { Form } from './form.entity.js';

/** Called within the transaction that adds recipients of owner mails to a form, with who adds them. */
export type RecipientsFollower = (
  tx: EntityManager,
  form: Form,
  added: string[],
  by: Scope,
) => Promise<void>;
