import { Mark } from './visitor.page.js';

/** Asks whether the mails about a saved view are to end. */
export function EndDigest() {
  return (
    <>
      <h1>Stop these mails?</h1>
      <p>You get them since you asked to be told what is new in a view.</p>
      <form method="post">
        <button type="submit">Stop them</button>
      </form>
      <p class="text">The view and its submissions stay as they are.</p>
    </>
  );
}

/** Says that they have ended. */
export function DigestEnded() {
  return (
    <>
      <Mark kind="good" />
      <h1>No more of these mails</h1>
      <p>You are told of that view no more. Its page lets you ask for the mails again.</p>
    </>
  );
}
