import type { Brand } from '../brands/brands.service.js';
import { Mark, Owner } from './visitor.page.js';

/** A form that asks whether somebody sent a submission, and whose form it is. */
export interface AskedFor {
  formName: string;
  brand: Pick<Brand, 'name' | 'logoPath'>;
}

/** Asks a visitor whether they sent something. */
export function ConfirmSent({ formName, brand, email }: AskedFor & { email: string }) {
  return (
    <>
      <Owner {...brand} />
      <h1>Was this you?</h1>
      <p>
        Somebody filled in <bdi>“{formName}”</bdi> with the address <strong>{email}</strong>.
      </p>
      <form method="post">
        <button type="submit">Yes, that was me</button>
      </form>
      <p class="text">If it was not you, close this page. Nothing will be passed on.</p>
    </>
  );
}

/** Says that it is confirmed. */
export function ConfirmedSent({ formName, brand, isNew }: AskedFor & { isNew: boolean }) {
  return (
    <>
      <Owner {...brand} />
      <Mark kind="good" />
      <h1>{isNew ? 'Thank you' : 'Already confirmed'}</h1>
      <p>
        {isNew ? 'You have confirmed' : 'You had already confirmed'} what you sent with{' '}
        <bdi>“{formName}”</bdi>. You can close this page.
      </p>
    </>
  );
}
