import type { VisitorAttachmentFacts } from '../../forms/model/visitor-attachment.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { formWords, visitorMailWords } from './words.js';
import { MailPreview } from '../previews/preview.js';

export interface VisitorMailPageProps {
  form: FormShown;
  typed: { doubleOptIn: boolean; html: string };
  /** The file that goes along; null for none. */
  attachment: VisitorAttachmentFacts | null;
  /** Whether it is known that the person's address is theirs. */
  isProven: boolean;
  problems: FieldProblem[];
}

/** Draws whether visitors confirm what they send, how the mail to them looks, and the file that goes along. */
export function VisitorMailPage(props: VisitorMailPageProps) {
  const { form, typed, attachment, isProven, problems } = props;
  const here = `/forms/${form.identifier}/visitor-mail`;
  const ofFile = problems.filter(({ field }) => field.startsWith('attachment'));
  const others = problems.filter((problem) => !ofFile.includes(problem));
  return (
    <FormShell form={form} title={visitorMailWords.title} tab="notifications" part="visitorMail">
      <div class="sections">
        <section>
          <h2>{visitorMailWords.title}</h2>
          <ActionForm action={here} problems={others} class="fields">
            <Check
              name="visitor_mail.double_opt_in"
              label={visitorMailWords.doubleOptIn}
              hint={visitorMailWords.doubleOptInHint}
              checked={typed.doubleOptIn}
            />
            <Field
              {...{
                name: 'visitor_mail.html',
                label: visitorMailWords.html,
                hint: visitorMailWords.htmlHint,
              }}
              {...{ value: typed.html, problems: others, rows: 10 }}
            />
            <MailPreview {...{ identifier: form.identifier, mail: 'visitor', isProven }} />
            <Actions>
              <Button>{formWords.save}</Button>
            </Actions>
          </ActionForm>
        </section>
        <section>
          <h2>{visitorMailWords.attachment}</h2>
          <p>
            {attachment === null ? (
              visitorMailWords.noFile
            ) : (
              <bdi>{visitorMailWords.file(attachment.name, attachment.size)}</bdi>
            )}
          </p>
          <ActionForm action={`${here}/attachment`} problems={ofFile} class="fields" upload>
            <Field
              name="attachment.content"
              type="file"
              label={visitorMailWords.choose}
              hint={visitorMailWords.chooseHint}
              problems={ofFile}
            />
            <Actions>
              <Button>{visitorMailWords.upload}</Button>
            </Actions>
          </ActionForm>
          {attachment !== null && (
            <ActionForm action={`${here}/attachment/removal`} class="buttons">
              <Button kind="plain" icon="trash-2">
                {visitorMailWords.remove}
              </Button>
            </ActionForm>
          )}
        </section>
      </div>
    </FormShell>
  );
}
