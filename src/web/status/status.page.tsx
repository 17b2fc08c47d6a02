import type { InstanceState } from '../../operations/doctor/instance.service.js';
import { Empty, Notice, PageHead } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { statusWords } from './words.js';
import { Instance } from './instance.page.js';
import {
  isOfService,
  Mend,
  Sentence,
  sentenceOf,
  WarningNotice,
  type FormWarning,
} from '../deliveries/warning.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { ReportMail, SentReport } from '../../reports/report-mails.service.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Sent } from '../reports/mail-section.js';
import { reportWords } from '../reports/words.js';

const { weekly } = statusWords;

interface WeeklySectionProps {
  mail: ReportMail;
  /** Contents of the field. */
  typed: string;
  problems: FieldProblem[];
  /** How sending it just now ended; empty when it was not asked for. */
  sent: SentReport[];
}

/** Draws who gets the weekly email, and a button that sends it now. */
function WeeklySection({ mail, typed, problems, sent }: WeeklySectionProps) {
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

/** A form with warnings. */
interface TroubleShown {
  name: string;
  identifier: string;
  warnings: FormWarning[];
}

interface StatusPageProps {
  troubles: TroubleShown[];
  mayChange: boolean;
  /** The state of the whole service; null for who is no operator. */
  instance: InstanceState | null;
  /** The weekly email; null for who may not change it. */
  weekly: WeeklySectionProps | null;
}

/** Draws all warnings, each sentence once: first that of the whole service, then those of forms. */
export function StatusPage({ troubles, mayChange, instance, weekly }: StatusPageProps) {
  const everywhere = troubles.filter(({ warnings }) => warnings.some(isOfService));
  const failed = instance?.findings.filter(({ state }) => state === 'failed') ?? [];
  const [ofService] = everywhere.flatMap(({ warnings }) => warnings.filter(isOfService));
  return (
    <Shell title={statusWords.title} section="status">
      <PageHead title={statusWords.title} />
      {failed.length > 0 && (
        <Notice kind="warn">
          <p>{statusWords.failed(failed.map(({ name }) => name))}</p>
        </Notice>
      )}
      {troubles.length === 0 && instance && failed.length === 0 && (
        <Notice kind="good">
          <p>
            <strong>{statusWords.fineTitle}.</strong> {statusWords.fine}
          </p>
        </Notice>
      )}
      {troubles.length === 0 && !instance && (
        <Empty icon="circle-check" title={statusWords.fineTitle}>
          <p>{statusWords.fine}</p>
        </Empty>
      )}
      {ofService && (
        <section>
          <h2>{statusWords.service}</h2>
          <WarningNotice {...ofService} identifier="" mayChange={false} />
          <p class="hint">{statusWords.concerned(everywhere.length)}</p>
        </section>
      )}
      {bySentence(troubles).map(({ sentence, code, forms }) => (
        <Notice kind="warn">
          <p>
            <Sentence text={sentence} />
          </p>
          <ul class="rows">
            {forms.map(({ name, identifier }) => (
              <li>
                <a href={`/forms/${identifier}`} dir="auto">
                  {name}
                </a>
                <Mend {...{ code, identifier, mayChange }} />
              </li>
            ))}
          </ul>
        </Notice>
      ))}
      {weekly && <WeeklySection {...weekly} />}
      {instance && <Instance state={instance} />}
    </Shell>
  );
}

/** Returns each sentence about forms once, with the forms that it is about. */
function bySentence(troubles: TroubleShown[]) {
  const found = new Map<string, { sentence: string; code: string; forms: TroubleShown[] }>();
  for (const trouble of troubles) {
    for (const warning of trouble.warnings.filter((each) => !isOfService(each))) {
      const sentence = sentenceOf(warning);
      const group = found.get(sentence) ?? { sentence, code: warning.code, forms: [] };
      group.forms.push(trouble);
      found.set(sentence, group);
    }
  }
  return [...found.values()];
}
