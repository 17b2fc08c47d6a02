import {
  type FormCaptcha,
  SCRIPT_NAMES,
  CAPTCHA_PROVIDERS,
} from '../../spam/evidence/spam-evidence.js';
import type { SpamSettings } from '../../spam/judge/spam-settings.js';
import { textOf, textsOf, type Typed } from '../parts/typed.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { fieldLabel } from '../../forms/model/field-label.js';
import { ActionForm, Check, Field, Select } from '../parts/controls.js';
import { Icon, Table } from '../parts/content.js';
import { spamWords } from './words.js';

/** Input of the spam page of a form. */
export interface SpamTyped {
  signals: { name: string; enabled: boolean; points: string }[];
  heldAt: string;
  spamAt: string;
  /** Empty: no end. */
  holdHours: string;
  /** Divided by commas. */
  honeypots: string;
  /** Names of the scripts that are expected; none: any. */
  scripts: string[];
  requiresProof: boolean;
  captcha: CaptchaTyped;
}

/** The captcha of a form, as it is typed. A secret is not shown again. */
interface CaptchaTyped {
  /** Empty: none. */
  provider: string;
  siteKey: string;
  /** Empty: that which is stored. */
  secret: string;
  /** Empty: any. */
  action: string;
  minScore: string;
}

/** Returns the settings of a form as they would be typed. */
export function shownRules(settings: SpamSettings): SpamTyped {
  return {
    signals: Object.entries(settings.signals).map(([name, { enabled, points }]) => ({
      name,
      enabled,
      points: String(points),
    })),
    heldAt: String(settings.heldAt),
    spamAt: String(settings.spamAt),
    holdHours: settings.holdHours === null ? '' : String(settings.holdHours),
    honeypots: settings.honeypots.join(', '),
    scripts: [...(settings.scripts ?? [])],
    requiresProof: settings.proofRequired,
    captcha: shownCaptcha(settings.captcha),
  };
}

/** Reads what was typed; a signal of which the page sent nothing stays as it is. */
export function typedRules(sent: Typed | undefined, settings: SpamSettings): SpamTyped {
  const ticked = textsOf(sent, 'enabled');
  const names = Object.keys(settings.signals).filter((name) => sent && pointsOf(name) in sent);
  return {
    signals: names.map((name) => ({
      name,
      enabled: ticked.includes(name),
      points: textOf(sent, pointsOf(name)).trim(),
    })),
    heldAt: textOf(sent, 'spam.held_at').trim(),
    spamAt: textOf(sent, 'spam.spam_at').trim(),
    holdHours: textOf(sent, 'spam.hold_hours').trim(),
    honeypots: textOf(sent, 'spam.honeypots').trim(),
    scripts: textsOf(sent, 'spam.scripts'),
    requiresProof: textOf(sent, PROOF) === 'true',
    captcha: typedCaptcha(sent) ?? shownCaptcha(settings.captcha),
  };
}

/** Returns the body that asks the API for the same. */
export function bodyOf(typed: SpamTyped): object {
  const { signals, heldAt, spamAt, holdHours, honeypots, scripts, requiresProof } = typed;
  return {
    spam: {
      signals: Object.fromEntries(
        signals.map(({ name, enabled, points }) => [name, { enabled, points: numberOf(points) }]),
      ),
      held_at: numberOf(heldAt),
      spam_at: numberOf(spamAt),
      hold_hours: holdHours === '' ? null : numberOf(holdHours),
      honeypots: honeypots
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      scripts: scripts.length === 0 ? null : scripts,
      proof_of_work: { require: requiresProof },
      captcha: captchaBody(typed.captcha),
    },
  };
}

function shownCaptcha(captcha: FormCaptcha | null): CaptchaTyped {
  return {
    provider: captcha?.provider ?? '',
    siteKey: captcha?.siteKey ?? '',
    secret: '',
    action: captcha?.action ?? '',
    minScore: String(captcha?.minScore ?? ''),
  };
}

/** Reads the captcha that was typed; null when the page sent nothing of it. */
function typedCaptcha(sent: Typed | undefined): CaptchaTyped | null {
  if (!sent || !('spam.captcha.provider' in sent)) return null;
  const of = (name: string) => textOf(sent, `spam.captcha.${name}`).trim();
  return {
    ...{ provider: of('provider'), siteKey: of('site_key'), secret: of('secret') },
    ...{ action: of('action'), minScore: of('min_score') },
  };
}

/** Returns what was typed as the API takes it; what is empty and has to be there is left out. */
function captchaBody({ provider, siteKey, secret, action, minScore }: CaptchaTyped): object | null {
  if (provider === '') return null;
  return {
    provider,
    ...(siteKey !== '' && { site_key: siteKey }),
    ...(secret !== '' && { secret }),
    action: action === '' ? null : action,
    ...(minScore !== '' && { min_score: numberOf(minScore) }),
  };
}

/** Name of the box that requires a proof of work. */
const PROOF = 'spam.proof_of_work.require';

const pointsOf = (name: string) => `spam.signals.${name}.points`;

/** Returns a number that may have a comma; NaN, which no rule takes, for anything else. */
function numberOf(text: string): number {
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
    <ActionForm
      action={`/forms/${form.identifier}/spam`}
      problems={problems}
      submit={spamWords.save}
    >
      <p class="hint">{spamWords.tuneHint}</p>
      <Table class="labels" head={[spamWords.signal, spamWords.on, spamWords.points]}>
        {typed.signals.map((signal) => (
          <SignalRow {...signal} problems={problems} />
        ))}
      </Table>
      <fieldset>
        <legend>{spamWords.bands}</legend>
        <Field
          {...{ name: 'spam.held_at', label: spamWords.heldAt, hint: spamWords.heldHint, problems }}
          value={typed.heldAt}
        />
        <Field
          {...{ name: 'spam.spam_at', label: spamWords.spamAt, hint: spamWords.spamHint, problems }}
          value={typed.spamAt}
        />
        <Field
          {...{
            name: 'spam.hold_hours',
            label: spamWords.holdHours,
            hint: spamWords.holdHint,
            problems,
          }}
          inputmode="numeric"
          value={typed.holdHours}
        />
        <Field
          {...{
            name: 'spam.honeypots',
            label: spamWords.honeypots,
            hint: spamWords.honeypotsHint,
            problems,
          }}
          value={typed.honeypots}
        />
      </fieldset>
      <fieldset>
        <legend>{spamWords.scripts}</legend>
        <p class="hint">{spamWords.scriptsHint}</p>
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
        <legend>{spamWords.proof}</legend>
        <p class="hint">{spamWords.proofHint}</p>
        <Check
          {...{ name: PROOF, label: spamWords.requireProof, hint: spamWords.requireProofHint }}
          checked={typed.requiresProof}
        />
      </fieldset>
      <CaptchaFields {...props} problems={problems} />
    </ActionForm>
  );
}

/** Draws which captcha the form shows, and what it is checked with; folded until there is one. */
function CaptchaFields({ typed: { captcha }, problems }: RulesProps) {
  const isOpen =
    captcha.provider !== '' || problems.some(({ field }) => field.startsWith('spam.captcha.'));
  return (
    <details class="folded" open={isOpen}>
      <summary>
        <Icon name="chevron-right" /> {spamWords.captcha}
      </summary>
      <p class="hint">{spamWords.captchaHint}</p>
      <Select
        {...{ name: 'spam.captcha.provider', label: spamWords.provider, value: captcha.provider }}
        options={[
          { value: '', label: spamWords.noCaptcha },
          ...CAPTCHA_PROVIDERS.map((value) => ({ value, label: spamWords.providers[value] })),
        ]}
      />
      <Field
        {...{
          name: 'spam.captcha.site_key',
          label: spamWords.siteKey,
          hint: spamWords.siteKeyHint,
        }}
        {...{ problems, value: captcha.siteKey, autocomplete: 'off' }}
      />
      <Field
        {...{ name: 'spam.captcha.secret', label: spamWords.secret, hint: spamWords.secretHint }}
        {...{ problems, value: captcha.secret, type: 'password', autocomplete: 'off' }}
      />
      <Field
        {...{ name: 'spam.captcha.action', label: spamWords.action, hint: spamWords.actionHint }}
        {...{ problems, value: captcha.action, autocomplete: 'off' }}
      />
      <Field
        {...{
          name: 'spam.captcha.min_score',
          label: spamWords.minScore,
          hint: spamWords.minScoreHint,
        }}
        {...{ problems, value: captcha.minScore }}
      />
    </details>
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
        <input
          type="checkbox"
          name="enabled"
          value={name}
          checked={enabled}
          aria-label={spamWords.onOf(label)}
        />
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
          aria-label={spamWords.pointsOf(label)}
          aria-invalid={isWrong ? true : undefined}
        />
      </td>
    </tr>
  );
}
