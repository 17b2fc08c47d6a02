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
      <h1>Get mails from “{accountName}”?</h1>
      <p>
        {accountName} would like to send what visitors submit through its forms to{' '}
        <strong>{email}</strong>.
      </p>
      <form method="post">
        <button type="submit">Send mails to this address</button>
      </form>
      <p class="text">If you do not want this, close the page: nothing is sent.</p>
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
        What visitors submit through the forms of {accountName} goes to <strong>{email}</strong>{' '}
        from now on.
      </p>
    </>
  );
}
