import { State } from '../parts/content.js';
import { submissionWords } from './words.js';
import type { DeliveryShown, EntryShown } from './entry-shown.js';

/** Returns the delivery of an entry where that is a mail to the team. */
export function teamMailOf(entry: EntryShown): DeliveryShown[] {
  const isMail = entry.what === 'delivery' && entry.delivery.kind.startsWith('owner_');
  return isMail ? [entry.delivery] : [];
}

/** Says in one line to a client's person whether the team was notified. */
export function TeamMails({ mails }: { mails: DeliveryShown[] }) {
  const states = mails.map(({ state }) => state);
  const isTold = states.includes('delivered');
  const said = states.includes('summarised')
    ? submissionWords.teamInSummary
    : submissionWords.teamNotNotified;
  return (
    <li>
      <State kind={isTold ? 'good' : 'quiet'}>{isTold ? submissionWords.teamNotified : said}</State>
    </li>
  );
}

/** Tells whether it is no attempt, but what a server said of one later. */
export function isReport({ outcome }: DeliveryShown['attempts'][number]): boolean {
  return outcome in submissionWords.reports;
}
