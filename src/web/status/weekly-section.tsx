import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { ReportMail, SentReport } from '../../reports/report-mails.service.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Sent } from '../reports/mail-section.js';
import { reportWords } from '../reports/words.js';
import { statusWords } from './words.js';

const { weekly } = statusWords;

export interface WeeklySectionProps {
  mail: ReportMail;
  /** Contents of the field. */
  typed: string;
  problems: FieldProblem[];
  /** How sending it just now ended; empty when it was not asked for. */
  sent: SentReport[];
}

/** Draws who gets the weekly email, and a button that sends it now. */
export function WeeklySection({ mail, typed, problems, sent }: WeeklySectionProps) {
  const here = '/status/weekly-mail';
  const { recipients, unconfirmed } = mail;
  return (
    <section id="weekly">
      <h2>{weekly.title}</h2>
      {sent.map((each) => (
        <Sent {...each} />
      ))}
      <ActionForm action={here} problems={problems}>
        <Field
          name="weekly_mail.recipients"
          label={reportWords.mail.recipients}
          hint={weekly.hint}
          value={typed}
          problems={problems}
          autocomplete="off"
        />
        {unconfirmed.length > 0 && <p>{reportWords.mail.unconfirmed(unconfirmed.join(', '))}</p>}
        <Actions>
          <Button>{reportWords.mail.save}</Button>
        </Actions>
      </ActionForm>
      {recipients.length > unconfirmed.length && (
        <ActionForm action={`${here}/send`}>
          <Actions>
            <Button kind="plain" icon="mail">
              {weekly.send}
            </Button>
          </Actions>
        </ActionForm>
      )}
    </section>
  );
}
