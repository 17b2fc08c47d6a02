import { ActionForm, Button, LinkButton } from '../layout/controls.js';
import { Notice } from '../layout/content.js';
import { words } from '../words.js';

/** Something the owner of a form should know: a stable word for it, and the API's sentence. */
export interface FormWarning {
  code: string;
  message: string;
}

/** Returns the sentence of the pages for a warning; the API's own stands for those without one. */
export function sentenceOf({ code, message }: FormWarning): string {
  const known: Record<string, string | undefined> = words.warnings;
  return known[code] ?? message;
}

/** Draws a warning in one sentence, with the one button that mends it or leads there. */
export function WarningNotice(props: FormWarning & { identifier: string; mayChange: boolean }) {
  return (
    <Notice kind="warn">
      <p>{sentenceOf(props)}</p>
      <Mend {...props} here={`/forms/${props.identifier}`} />
    </Notice>
  );
}

/** Draws the button that mends what a warning is about; nothing for who may not, or cannot here. */
export function Mend(props: { code: string; here: string; mayChange: boolean }) {
  const { code, here, mayChange } = props;
  const { mend } = words;
  if (!mayChange || code === 'mail_not_configured') return null;
  if (code === 'webhook_disabled') {
    return (
      <ActionForm action={`${here}/webhook/enable`}>
        <Button kind="plain" icon="webhook">
          {mend.enableWebhook}
        </Button>
      </ActionForm>
    );
  }
  const place = SETTING_OF[code];
  return (
    <LinkButton href={`${here}/settings${place ? `#f-form-${place}` : ''}`} icon="settings">
      {mend.settings}
    </LinkButton>
  );
}

/** The setting that each is about. */
const SETTING_OF: Record<string, string | undefined> = {
  nobody_is_told: 'notify_owner_on_submission',
  origins_refused: 'whitelisted_domains',
  webhook_failing: 'webhook_url',
  owner_email_failing: 'notify_owner_emails',
  submitter_email_failing: 'notify_submitter',
};
