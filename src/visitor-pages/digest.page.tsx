import { Mark } from './visitor.page.js';

/** Asks whether the mails about a saved view are to end. */
export function EndDigest() {
  return (
    <>
      <h1>Stop this digest?</h1>
      <p>You get these emails because you turned on a digest for a saved view.</p>
      <form method="post">
        <button type="submit">Stop digest</button>
      </form>
      <p class="text">The view and its submissions stay.</p>
    </>
  );
}

/** Says that they have ended. */
export function DigestEnded() {
  return (
    <>
      <Mark kind="good" />
      <h1>Digest stopped</h1>
      <p>
        You get no more emails about this view. You can turn them on again under “Manage views”.
      </p>
    </>
  );
}
