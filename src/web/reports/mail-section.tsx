import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { ReportMail, SentReport } from '../../reports/report-mails.service.js';
import { Notice } from '../parts/content.js';
import { ActionForm, Field } from '../parts/controls.js';

/** Recipients of a mail of sums, and what was typed to change them. */
export interface Mailed {
  mail: ReportMail;
  /** Contents of the field. */
  typed: string;
  problems: FieldProblem[];
  /** How sending it just now ended; empty when it was not asked for. */
  sent: SentReport[];
}

interface MailSectionProps extends Mailed {
  id: string;
  heading: string;
  /** Where the form goes, and behind it what sends the mail now. */
  here: string;
  /** Name of the field. */
  name: string;
  hint: string;
  /** Text of the button that sends it now. */
  send: string;
  /** The month that the page shows. */
  month?: string;
}

/** Draws who gets a mail of sums, and a button that sends it now. */
export function MailSection({ id, here, month, mail, problems, ...shown }: MailSectionProps) {
  const { recipients, unconfirmed } = mail;
  const kept = month !== undefined && <input type="hidden" name="month" value={month} />;
  return (
    <section id={id} class="unprinted">
      <h2>{shown.heading}</h2>
      {shown.sent.map((each) => (
        <Sent {...each} />
      ))}
      <ActionForm action={here} problems={problems} submit="Save recipients">
        {kept}
        <Field
          name={shown.name}
          label="Recipients"
          hint={shown.hint}
          value={shown.typed}
          autocomplete="off"
        />
        {unconfirmed.length > 0 && (
          <p>
            Not confirmed yet: {unconfirmed.join(', ')}. They get nothing until they confirm their
            address.
          </p>
        )}
      </ActionForm>
      {recipients.length > unconfirmed.length && (
        <ActionForm action={`${here}/send`} submit={shown.send} kind="plain" icon="mail">
          {kept}
        </ActionForm>
      )}
    </section>
  );
}

/** Says how sending a mail to somebody ended. */
function Sent({ to, ended }: SentReport) {
  const isGood = ended.verdict === 'delivered';
  return (
    <Notice kind={isGood ? 'good' : 'bad'}>
      {isGood ? `Email sent to ${to}` : `Email to ${to} was not sent`}:{' '}
      {ended.answer ?? 'The mail server did not answer.'}
    </Notice>
  );
}
