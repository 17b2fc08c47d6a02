import { Mark } from './visitor.page.js';

/** Asks whether mailed reports are to end. */
export function EndReports() {
  return (
    <>
      <h1>Stop these reports?</h1>
      <p>You get a report by email each month because somebody entered your address for it.</p>
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
