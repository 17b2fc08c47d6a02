import { formHeadWords } from '../form-head/words.js';
import { formWords } from './words.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { FailingRecipients, type FailingShown } from './failing.js';
import { Origins, type OriginRow } from './origins.js';
import { MailPreview, ThanksPreview } from '../previews/preview.js';
import { GroupForm, type SettingValues } from './setting-fields.js';

interface GroupPageProps extends SettingValues {
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
  const { form, isProven, failing } = props;
  const { identifier } = form;
  const here = `/forms/${identifier}/notifications`;
  return (
    <FormShell
      form={form}
      title={formHeadWords.tabs.names.notifications}
      tab="notifications"
      part="emails"
    >
      <div class="sections">
        {(['owner', 'visitor'] as const).map((mail) => (
          <GroupForm {...props} group={mail} action={`${here}/${mail}`}>
            <MailPreview {...{ identifier, mail, isProven }} />
          </GroupForm>
        ))}
      </div>
      <FailingRecipients identifier={identifier} rows={failing} />
    </FormShell>
  );
}

/** Draws what visitors see after submitting. */
export function ThankYouPage(props: GroupPageProps) {
  const { form } = props;
  return (
    <FormShell form={form} title={formWords.groups.thanks} tab="settings" part="thanks">
      <GroupForm {...props} group="thanks" action={`/forms/${form.identifier}/thank-you`}>
        <ThanksPreview identifier={form.identifier} />
      </GroupForm>
    </FormShell>
  );
}

/** Draws the sites from which a form may be sent, and those from which it was. */
export function DomainsPage(props: GroupPageProps & { origins: OriginRow[] }) {
  const { form, origins } = props;
  return (
    <FormShell form={form} title={formWords.groups.domains} tab="settings" part="domains">
      <GroupForm {...props} group="domains" action={`/forms/${form.identifier}/domains`} />
      <Origins identifier={form.identifier} rows={origins} />
    </FormShell>
  );
}
