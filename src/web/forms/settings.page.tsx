import { Shell, type Frame } from '../layout/shell.js';
import { formHeadWords } from '../form-head/words.js';
import { formWords } from './words.js';
import { FormHead, type FormShown } from '../form-head/form-head.js';
import { FailingRecipients, type FailingShown } from './failing.js';
import { Origins, type OriginRow } from './origins.js';
import { MailPreview, ThanksPreview } from '../previews/preview.js';
import { GroupForm, type SettingValues } from './setting-fields.js';

interface GroupPageProps extends SettingValues {
  frame: Frame;
  form: FormShown;
}

/** Draws the emails that a form sends, each with its own settings and preview. */
export function NotificationsPage(
  props: GroupPageProps & {
    /** Whether it is known that the person's address is theirs. */
    isProven: boolean;
    failing: readonly FailingShown[];
  },
) {
  const { frame, form, isProven, failing } = props;
  const { identifier } = form;
  const here = `/forms/${identifier}/notifications`;
  return (
    <Shell
      title={`${formHeadWords.tabs.names.notifications} · ${form.name}`}
      frame={frame}
      section="forms"
    >
      <FormHead form={form} tab="notifications" part="emails" />
      <div class="sections">
        {(['owner', 'visitor'] as const).map((mail) => (
          <GroupForm {...props} group={mail} action={`${here}/${mail}`}>
            <MailPreview {...{ identifier, mail, isProven }} />
          </GroupForm>
        ))}
      </div>
      <FailingRecipients identifier={identifier} rows={failing} />
    </Shell>
  );
}

/** Draws what visitors see after submitting. */
export function ThankYouPage(props: GroupPageProps) {
  const { frame, form } = props;
  return (
    <Shell title={`${formWords.groups.thanks} · ${form.name}`} frame={frame} section="forms">
      <FormHead form={form} tab="settings" part="thanks" />
      <GroupForm {...props} group="thanks" action={`/forms/${form.identifier}/thank-you`}>
        <ThanksPreview identifier={form.identifier} />
      </GroupForm>
    </Shell>
  );
}

/** Draws the sites from which a form may be sent, and those from which it was. */
export function DomainsPage(props: GroupPageProps & { origins: OriginRow[] }) {
  const { frame, form, origins } = props;
  return (
    <Shell title={`${formWords.groups.domains} · ${form.name}`} frame={frame} section="forms">
      <FormHead form={form} tab="settings" part="domains" />
      <GroupForm {...props} group="domains" action={`/forms/${form.identifier}/domains`} />
      <Origins identifier={form.identifier} rows={origins} />
    </Shell>
  );
}
