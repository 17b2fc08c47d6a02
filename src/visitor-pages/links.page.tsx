import { Mark, Owner } from './visitor.page.js';
import { useWords } from './layout.js';
import type { Brand } from '../clients/brands/brands.service.js';

/** The account that would send mails, and the address that would get them. */
export interface Confirmation {
  accountName: string;
  email: string;
}

/** Asks whether an address is to get the mails of an account's forms. */
export function Confirm({ accountName, email }: Confirmation) {
  return (
    <>
      <h1>Get emails from “{accountName}”?</h1>
      <p>
        {accountName} wants to email submissions of its forms to <strong>{email}</strong>.
      </p>
      <form method="post">
        <button type="submit">Get these emails</button>
      </form>
      <p class="text">If you do not want these emails, close this page.</p>
    </>
  );
}

/** Says that an address gets them from now on. */
export function Confirmed({ accountName, email }: Confirmation) {
  return (
    <>
      <Mark kind="good" />
      <h1>Thank you</h1>
      <p>
        From now on, {accountName} emails submissions of its forms to <strong>{email}</strong>.
      </p>
    </>
  );
}

/** Asks whether mails that somebody gets again and again are to end. */
export function EndMails() {
  return (
    <>
      <h1>Stop these emails?</h1>
      <p>You get this email regularly: you turned it on, or somebody entered your address.</p>
      <form method="post">
        <button type="submit">Stop these emails</button>
      </form>
      <p class="text">All submissions stay.</p>
    </>
  );
}

/** Says that they have ended. */
export function MailsEnded() {
  return (
    <>
      <Mark kind="good" />
      <h1>Emails stopped</h1>
      <p>
        You get this email no more. A digest can be turned on again under “Manage views”, and whoever entered your
        address can do so again.
      </p>
    </>
  );
}

/** A form that asks whether somebody sent a submission, and whose form it is. */
interface AskedFor {
  formName: string;
  brand: Pick<Brand, 'name' | 'logoPath'>;
}

/** Asks a visitor whether they sent something. */
export function ConfirmSent({ formName, brand, email }: AskedFor & { email: string }) {
  const words = useWords();
  const named = { email: <strong dir="ltr">{email}</strong>, form: <bdi>{formName}</bdi> };
  return (
    <>
      <Owner {...brand} />
      <h1>{words.say('was_this_you')}</h1>
      <p>{words.around('you_submitted', named)}</p>
      <form method="post">
        <button type="submit">{words.say('yes_it_was')}</button>
      </form>
      <p class="text">{words.say('if_not_you')}</p>
    </>
  );
}

/** Says that it is confirmed. */
export function ConfirmedSent({ formName, brand, isNew }: AskedFor & { isNew: boolean }) {
  const words = useWords();
  return (
    <>
      <Owner {...brand} />
      <Mark kind="good" />
      <h1>{words.say(isNew ? 'thank_you' : 'already_confirmed')}</h1>
      <p>{words.around(isNew ? 'you_confirmed' : 'you_had_confirmed', { form: <bdi>{formName}</bdi> })}</p>
    </>
  );
}
