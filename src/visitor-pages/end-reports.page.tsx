import { Mark } from './visitor.page.js';

/** Asks whether mailed reports are to end. */
export function EndReports() {
  return (
    <>
      <h1>Stop these reports?</h1>
      <p>Somebody entered your address for this email, which comes again and again.</p>
      <form method="post">
        <button type="submit">Stop reports</button>
      </form>
    </>
  );
}

/** Says that they have ended. */
export function ReportsEnded() {
  return (
    <>
      <Mark kind="good" />
      <h1>Reports stopped</h1>
      <p>You get this report no more. Whoever entered your address can do so again.</p>
    </>
  );
}
