import type { FieldProblem } from '../../platform/kernel/errors.js';
import { nameOf } from '../../reports/week.js';
import type { ReportMail, SentReport } from '../../reports/report-mails.service.js';
import { Notice } from '../parts/content.js';
import { ActionForm, Field } from '../parts/controls.js';
import { reportWords } from './words.js';

const { mail: said } = reportWords;

export interface MailSectionProps {
  clientId: number;
  month: string;
  mail: ReportMail;
  /** Contents of the field. */
  typed: string;
  problems: FieldProblem[];
  /** How sending it just now ended; empty when it was not asked for. */
  sent: SentReport[];
}

/** Draws who gets the report by mail, and a button that sends it now. */
export function MailSection({ clientId, month, mail, typed, problems, sent }: MailSectionProps) {
  const here = `/clients/${clientId}/report/mail`;
  const { recipients, unconfirmed } = mail;
  return (
    <section id="mail" class="unprinted">
      <h2>Email this report</h2>
      {sent.map((each) => (
        <Sent {...each} />
      ))}
      <ActionForm action={here} problems={problems} submit={said.save}>
        <input type="hidden" name="month" value={month} />
        <Field
          name="report_mail.recipients"
          label={said.recipients}
          hint="Email addresses, separated by commas, up to 10. They get the report on the first of each month from 6:00 UTC on. Leave it empty to send none."
          value={typed}
          autocomplete="off"
        />
        {unconfirmed.length > 0 && <p>{said.unconfirmed(unconfirmed.join(', '))}</p>}
      </ActionForm>
      {recipients.length > unconfirmed.length && (
        <ActionForm
          action={`${here}/send`}
          submit={`Send report for ${nameOf(month)} now`}
          kind="plain"
          icon="mail"
        >
          <input type="hidden" name="month" value={month} />
        </ActionForm>
      )}
    </section>
  );
}

/** Says how sending a mail to somebody ended. */
export function Sent({ to, ended }: SentReport) {
  const isGood = ended.verdict === 'delivered';
  return (
    <Notice kind={isGood ? 'good' : 'bad'}>
      {isGood ? `Email sent to ${to}` : `Email to ${to} was not sent`}:{' '}
      {ended.answer ?? 'The mail server did not answer.'}
    </Notice>
  );
}
