import { Mark } from './visitor.page.js';

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
