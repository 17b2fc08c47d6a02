import type { ComponentChildren } from 'preact';
import { Notice, Time, Copyable, LinkButton } from '../parts/index.js';
import { filterPart } from '../../submissions/filter/filter-line.js';
import { inboxAddress, inFolder } from '../addresses/folders.js';
import { COMMAND_LINE } from '../../platform/index.js';
import { sentencesOf, type Finding } from '../../health/finding.js';

/** Sentences by the code of the finding; for other codes the API’s message is shown. */
const warningWords = {
  nobody_is_told: 'Nobody is notified of submissions. Turn on emails, add a recipient, or set a webhook.',
  mail_not_configured:
    'Emails are saved to disk and not sent, because the operator of this service has not set up a mail server.',
  origins_refused: 'Submissions went to spam because of the domain they came from. If the domain is yours, allow it.',
  captcha_unverified: 'The captcha provider rejects your keys, so submissions are held. Enter the keys again.',
  webhook_disabled: 'The webhook is paused, so it gets no submissions.',
} as const;

/** Links and steps next to a finding that fix it. */
const mendWords = {
  /** By the code of the finding, where a page other than settings mends it. */
  of: {
    origins_refused: 'Review domains',
    form_silent: 'View activity',
    never_connected: 'Show the snippet',
    page_broken: 'View the check',
    canary_failing: 'View the check',
    visitors_refused: 'Review field rules',
    spam_rising: 'Spam settings',
    owner_email_failing: 'View what failed',
    submitter_email_failing: 'View what failed',
    opt_in_failing: 'View what failed',
    destination_failing: 'View destinations',
  } as Record<string, string | undefined>,
} as const;

export type FindingShown = Pick<Finding, 'subject' | 'code' | 'text' | 'fix'>;

/** Returns the pages' own sentence for a finding, or the API's where there is none. */
export function sentenceOf(finding: FindingShown) {
  const known: Record<string, string | undefined> = warningWords;
  return known[finding.code] ?? sentencesOf(finding);
}

/** Draws a finding in one sentence, with what mends it, or leads there. */
export function FindingNotice({ finding, children }: { finding: FindingShown; children?: ComponentChildren }) {
  return (
    <Notice kind="warn">
      <p>
        <Sentence text={sentenceOf(finding)} />
      </p>
      {finding.code === 'mail_not_configured' ? <MailServer /> : children}
    </Notice>
  );
}

/** A moment as messages of the API name it. */
const MOMENT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** Draws what a finding says, with its moments in the person's zone. */
export function Sentence({ text }: { text: string }) {
  return text.split(MOMENT).map((part) => (MOMENT.test(part) ? <Time at={new Date(part)} /> : part));
}

/** Shows the settings that the operator needs so that mails are sent. */
function MailServer() {
  return (
    <>
      <p>Set these two settings to your own mail server and restart the service:</p>
      <Copyable id="mail-settings" text={MAIL_SETTINGS} />
      <p>Then send a test email with this command. It shows what is wrong if that fails:</p>
      <Copyable id="mail-check" text={MAIL_CHECK} />
    </>
  );
}

const MAIL_SETTINGS = `SMTP_URL=smtp://user:password@mail.example.com:587
MAIL_FROM=forms@example.com`;

const MAIL_CHECK = `${COMMAND_LINE} doctor --to you@example.com`;

/** Draws the button that mends what is wrong with a form, or says who can. */
export function Mend(props: { code: string; identifier: string; mayChange: boolean }) {
  const { code, identifier, mayChange } = props;
  const here = `/forms/${identifier}`;
  if (!mayChange) return <span class="hint">Ask an owner or an editor to change this.</span>;
  if (code === 'webhook_disabled' || code === 'webhook_failing') {
    return (
      <LinkButton href={`${here}/webhook`} icon="webhook">
        Open webhook
      </LinkButton>
    );
  }
  if (code === 'captcha_unverified') {
    return (
      <LinkButton href={`${here}/spam#f-spam-captcha-secret`} icon="settings">
        Enter captcha keys
      </LinkButton>
    );
  }
  if (code === 'verdicts_changed') {
    return (
      <LinkButton href={inboxAddress(inFolder(filterPart('form', identifier), 'spam'))} icon="shield-alert">
        Review spam
      </LinkButton>
    );
  }
  return (
    <LinkButton href={`${here}/${PLACE_OF[code] ?? 'settings'}`} icon="settings">
      {mendWords.of[code] ?? 'Change settings'}
    </LinkButton>
  );
}

/** The settings that each finding is about. */
const PLACE_OF: Record<string, string | undefined> = {
  nobody_is_told: 'settings#notifications',
  origins_refused: 'spam#origins',
  recipient_bounces: 'settings#s-failing',
  destination_failing: 'settings#notifications',
  secret_unreadable: 'settings#notifications',
  owner_email_failing: 'team-mail?state=failed',
  submitter_email_failing: 'visitor-mail?state=failed',
  opt_in_failing: 'visitor-mail?state=failed',
  form_silent: 'activity',
  never_connected: 'setup',
  page_broken: 'activity#canary',
  canary_failing: 'activity#canary',
  visitors_refused: 'settings#fields',
  spam_rising: 'spam',
};
