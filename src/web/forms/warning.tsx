import { ActionForm, Button, LinkButton } from '../layout/controls.js';
import { Copyable, Notice } from '../layout/content.js';
import { words } from '../words.js';

/** A warning as the API has it. */
export interface FormWarning {
  code: string;
  message: string;
}

/** Returns the pages' own sentence for a warning, or the API's where there is none. */
export function sentenceOf({ code, message }: FormWarning): string {
  const known: Record<string, string | undefined> = words.warnings;
  return known[code] ?? message;
}

/**
 * Tells whether only the operator can mend the cause, for all forms at once: it is said above every page, which
 * leads to /status.
 */
export function isOfService({ code }: FormWarning): boolean {
  return code === 'mail_not_configured';
}

/** Returns the first sentence of what `sentenceOf` says, for lists. */
export function briefOf(warning: FormWarning): string {
  return sentenceOf(warning).replace(/(?<=\.) .*$/s, '');
}

/** Draws a warning in one sentence, with the one button that mends it or leads there. */
export function WarningNotice(props: FormWarning & { identifier: string; mayChange: boolean }) {
  return (
    <Notice kind="warn">
      <p>{sentenceOf(props)}</p>
      {props.code === 'mail_not_configured' ? (
        <MailServer />
      ) : (
        <Mend {...props} here={`/forms/${props.identifier}`} />
      )}
    </Notice>
  );
}

/** Shows the settings that the operator needs so that mails are sent. */
function MailServer() {
  return (
    <>
      <p>{words.mend.mailServer}</p>
      <Copyable id="mail-settings" text={MAIL_SETTINGS} />
      <p>{words.mend.mailCheck}</p>
      <Copyable id="mail-check" text={MAIL_CHECK} />
    </>
  );
}

const MAIL_SETTINGS = `SMTP_URL=smtp://user:password@mail.example.com:587
MAIL_FROM=forms@example.com`;
const MAIL_CHECK = 'npm run cli -- doctor --to you@example.com';

/** Draws the button that mends the cause of a warning; nothing when this person cannot mend it here. */
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

/** The setting that each warning is about. */
const SETTING_OF: Record<string, string | undefined> = {
  nobody_is_told: 'notify_owner_on_submission',
  origins_refused: 'whitelisted_domains',
  webhook_failing: 'webhook_url',
  owner_email_failing: 'notify_owner_emails',
  submitter_email_failing: 'notify_submitter',
};
