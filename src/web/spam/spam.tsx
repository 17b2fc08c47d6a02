import { SCRIPT_NAMES } from '../../spam/evidence/spam-evidence.js';
import type { SpamSettings } from '../../spam/judge/spam-settings.js';
import { textOf, textsOf, type Typed, ActionForm, Check, Field, Select, Fold, Table } from '../parts/index.js';
import type { FieldProblem } from '../../platform/index.js';
import { fieldLabel } from '../../forms/model/field.js';

const BANDS = { clean: 'clean', held: 'held', spam: 'spam' } as const;

/** Words of the page that says how a form judges what is sent. */
export const spamWords = {
  origins: { title: 'Recent sources', count: 'Submissions', last: 'Last submission' },
  levels: {
    relaxed: { name: 'Relaxed', hint: 'Holds only what several checks agree on. For forms that must not miss anyone.' },
    normal: { name: 'Normal', hint: 'Catches most spam and rarely holds a real message. Recommended.' },
    strict: {
      name: 'Strict',
      hint: 'Holds a submission when a single check finds something. Expect to review more of them.',
    },
    custom: { name: 'Custom', hint: 'Your own scores, set under “Fine-tune”.' },
  },
  /** Says what a level would have done recently. */
  would: ({ held, spam }: { held: number; spam: number }) => {
    if (held + spam === 0) return 'Last 30 days: would have stopped nothing.';
    const parts = [
      ...(held > 0 ? [`held ${held.toLocaleString('en')}`] : []),
      ...(spam > 0 ? [`moved ${spam.toLocaleString('en')} to spam`] : []),
    ];
    return `Last 30 days: would have ${parts.join(' and ')}.`;
  },
  tune: 'Fine-tune',
  signal: 'Check',
  scriptNames: {
    Arabic: 'Arabic',
    Cyrillic: 'Cyrillic',
    Devanagari: 'Devanagari',
    Greek: 'Greek',
    Han: 'Chinese (Han)',
    Hangul: 'Korean (Hangul)',
    Hebrew: 'Hebrew',
    Kana: 'Japanese (Kana)',
    Latin: 'Latin',
    Thai: 'Thai',
  },
  providers: {
    turnstile: 'Cloudflare Turnstile',
    hcaptcha: 'hCaptcha',
    recaptcha_v2: 'reCAPTCHA v2',
    recaptcha_v3: 'reCAPTCHA v3',
    friendly_captcha: 'Friendly Captcha',
  },
  caught: 'Caught in the last 30 days',
  columns: { found: 'Found', held: 'Held', spam: 'Spam', reversed: 'Reversed' },
  signals: {
    honeypot: 'Honeypot filled in',
    fill_time: 'Submitted too fast',
    captcha: 'Captcha not solved',
    proof_of_work: 'Proof of work missing',
    origin: 'Domain not allowed',
    links: 'Many links, or links in unusual places',
    script: 'Unexpected alphabet, or alphabets mixed in a word',
    repetition: 'Same text sent within a day',
    rate: 'Many from one network (only with another check)',
    bot_headers: 'Program posing as a browser',
    disposable_email: 'Disposable email address',
    email_domain: 'Email address that cannot receive email (asks DNS)',
    lists: 'Matches the block list',
    learned: 'Words from submissions you marked as spam',
    rspamd: 'Marked by rspamd (needs RSPAMD_URL)',
    akismet: 'Marked by Akismet (needs AKISMET_KEY; sees the submission)',
  } as Record<string, string | undefined>,
} as const;

/** Words of what judges submissions again. */
export const rejudgeWords = {
  move: (count: number, from: keyof typeof BANDS, to: keyof typeof BANDS) =>
    `${count.toLocaleString('en')} from ${BANDS[from]} to ${BANDS[to]}`,
} as const;

/** Rules of a form as they are typed. A secret is not shown again. */
export interface SpamTyped {
  /** Points are texts, as typed. */
  signals: { name: string; enabled: boolean; points: string }[];
  /** Texts of single fields, by their names in the body; an empty one is without end, any, or stays as it is stored. */
  texts: Readonly<Record<string, string>>;
  /** Names of the scripts that are expected; none: any. */
  scripts: string[];
  requiresProof: boolean;
}

/** Returns the settings of a form as they would be typed. */
export function shownRules(settings: SpamSettings): SpamTyped {
  const { heldAt, spamAt, holdHours, honeypots, captcha } = settings;
  return {
    signals: Object.entries(settings.signals).map(([name, { enabled, points }]) => ({
      ...{ name, enabled, points: String(points) },
    })),
    texts: {
      held_at: String(heldAt),
      spam_at: String(spamAt),
      hold_hours: String(holdHours ?? ''),
      honeypots: honeypots.join(', '),
      'captcha.provider': captcha?.provider ?? '',
      'captcha.site_key': captcha?.siteKey ?? '',
      'captcha.secret': '',
      'captcha.action': captcha?.action ?? '',
      'captcha.min_score': String(captcha?.minScore ?? ''),
    },
    scripts: [...(settings.scripts ?? [])],
    requiresProof: settings.proofRequired,
  };
}

/** Reads what was typed; a signal, and a captcha, of which the page sent nothing stays as it is. */
export function typedRules(sent: Typed | undefined, settings: SpamSettings): SpamTyped {
  const ticked = textsOf(sent, 'enabled');
  const shown = shownRules(settings);
  const isKept = (name: string) => name.startsWith('captcha.') && !(sent && 'spam.captcha.provider' in sent);
  const texts = Object.entries(shown.texts).map(([name, stored]) => {
    return [name, isKept(name) ? stored : textOf(sent, `spam.${name}`).trim()] as const;
  });
  return {
    signals: shown.signals
      .filter(({ name }) => sent && pointsOf(name) in sent)
      .map(({ name }) => ({
        ...{ name, enabled: ticked.includes(name) },
        points: textOf(sent, pointsOf(name)).trim(),
      })),
    texts: Object.fromEntries(texts),
    scripts: textsOf(sent, 'spam.scripts'),
    requiresProof: textOf(sent, PROOF) === 'true',
  };
}

/** Returns the body that asks the API for the same. */
export function bodyOf({ signals, texts, scripts, requiresProof }: SpamTyped): object {
  const text = (name: string) => texts[name] ?? '';
  const captcha = (name: string) => text(`captcha.${name}`);
  return {
    spam: {
      signals: Object.fromEntries(
        signals.map(({ name, enabled, points }) => [name, { enabled, points: numberOf(points) }]),
      ),
      held_at: numberOf(text('held_at')),
      spam_at: numberOf(text('spam_at')),
      hold_hours: text('hold_hours') === '' ? null : numberOf(text('hold_hours')),
      honeypots: text('honeypots')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      scripts: scripts.length === 0 ? null : scripts,
      proof_of_work: { require: requiresProof },
      captcha:
        captcha('provider') === ''
          ? null
          : {
              provider: captcha('provider'),
              ...(captcha('site_key') !== '' && { site_key: captcha('site_key') }),
              ...(captcha('secret') !== '' && { secret: captcha('secret') }),
              action: captcha('action') || null,
              ...(captcha('min_score') !== '' && { min_score: numberOf(captcha('min_score')) }),
            },
    },
  };
}

/** Name of the box that requires a proof of work. */
const PROOF = 'spam.proof_of_work.require';

const pointsOf = (name: string) => `spam.signals.${name}.points`;

/** Returns a number that may have a comma; NaN, which no rule takes, for anything else. */
function numberOf(text: string) {
  return text === '' ? NaN : Number(text.replace(',', '.'));
}

interface RulesProps {
  form: { identifier: string };
  typed: SpamTyped;
  problems: FieldProblem[];
}

/** Draws by which checks a form judges what is sent, and from which scores on it is held or spam. */
export function Rules(props: RulesProps) {
  const { form, typed, problems } = props;
  return (
    <ActionForm action={`/forms/${form.identifier}/spam`} problems={problems} submit="Save changes">
      <p class="hint">
        Each check that finds something adds its score. Submissions that reach the scores below are held or moved to
        spam.
      </p>
      <Table isBare class="labels" head={[spamWords.signal, 'Enabled', 'Score']}>
        {typed.signals.map((signal) => (
          <SignalRow {...signal} problems={problems} />
        ))}
      </Table>
      <fieldset>
        <legend>Scores and holding</legend>
        <Field
          name="spam.held_at"
          label="Hold from this score"
          hint="You are notified with the reasons. The email to the visitor and the webhook wait until you mark it as not spam."
          value={typed.texts.held_at}
        />
        <Field
          name="spam.spam_at"
          label="Move to spam from this score"
          hint="Goes to the Spam folder, and nobody is notified."
          value={typed.texts.spam_at}
        />
        <Field
          name="spam.hold_hours"
          label="Release held submissions after (hours)"
          hint="Leave empty to release them only when someone marks them as not spam."
          inputmode="numeric"
          value={typed.texts.hold_hours}
        />
        <Field
          name="spam.honeypots"
          label="Honeypot fields"
          hint="Names of fields that people cannot see, separated by commas. Only bots fill these in."
          value={typed.texts.honeypots}
        />
      </fieldset>
      <fieldset>
        <legend>Expected alphabets</legend>
        <p class="hint">
          Text mostly in other alphabets gets the score of “Unexpected alphabet”. Select none to accept any.
        </p>
        <div class="pair">
          {SCRIPT_NAMES.map((name) => (
            <Check
              {...{ name: 'spam.scripts', value: name, label: spamWords.scriptNames[name] }}
              checked={typed.scripts.includes(name)}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Proof of work</legend>
        <p class="hint">
          The visitor’s device solves a small task before sending: free for a person, costly for a bot that sends
          thousands. Enable the check above and use the “proof of work” snippet from “Setup”.
        </p>
        <Check
          name={PROOF}
          label="Hold submissions without it"
          hint="This includes visitors without JavaScript. Pages on plain HTTP cannot do it and are never held for that."
          checked={typed.requiresProof}
        />
      </fieldset>
      <CaptchaFields {...props} problems={problems} />
    </ActionForm>
  );
}

/** Draws which captcha the form shows, and what it is checked with; folded until there is one. */
function CaptchaFields({ typed: { texts }, problems }: RulesProps) {
  const provider = texts['captcha.provider'] ?? '';
  const isOpen = provider !== '' || problems.some(({ field }) => field.startsWith('spam.captcha.'));
  return (
    <Fold title="Captcha" open={isOpen}>
      <p class="hint">
        Your page shows the widget of a provider, which then learns about your visitors. Proof of work needs no third
        party. A missing or invalid token gets the score; if the provider does not answer in time, the submission is
        held.
      </p>
      <Select
        {...{ name: 'spam.captcha.provider', label: 'Provider', value: provider }}
        options={{ '': 'None', ...spamWords.providers }}
      />
      <Field
        name="spam.captcha.site_key"
        label="Site key"
        hint="Public. “Setup” has a snippet that includes it."
        {...{ value: texts['captcha.site_key'], autocomplete: 'off' }}
      />
      <Field
        name="spam.captcha.secret"
        label="Secret key"
        hint="Never shown again. Leave empty to keep the stored key of the same provider."
        {...{ value: texts['captcha.secret'], type: 'password', autocomplete: 'off' }}
      />
      <Field
        name="spam.captcha.action"
        label="Action"
        hint="For Turnstile and reCAPTCHA v3: the action your page sets. Leave empty to accept any."
        {...{ value: texts['captcha.action'], autocomplete: 'off' }}
      />
      <Field
        name="spam.captcha.min_score"
        label="Minimum score"
        hint="For reCAPTCHA v3: from 0 (bot) to 1 (person). Leave empty for 0.5, or to keep the stored score."
        value={texts['captcha.min_score']}
      />
    </Fold>
  );
}

function SignalRow(props: SpamTyped['signals'][number] & Pick<RulesProps, 'problems'>) {
  const { name, enabled, points, problems } = props;
  const label = spamWords.signals[name] ?? fieldLabel(name);
  const field = `spam.signals.${name}.points`;
  const isWrong = problems.some((problem) => problem.field === field);
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <input type="checkbox" name="enabled" value={name} checked={enabled} aria-label={`Enable: ${label}`} />
      </td>
      <td class="field">
        <input
          type="text"
          inputmode="decimal"
          id={`f-${field.replaceAll('.', '-')}`}
          name={field}
          value={points}
          size={4}
          maxlength={5}
          aria-label={`Score: ${label}`}
          aria-invalid={isWrong ? true : undefined}
        />
      </td>
    </tr>
  );
}
