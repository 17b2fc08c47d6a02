import type { FieldProblem } from '../../platform/kernel/errors.js';
import { fieldLabel } from '../../forms/model/field-label.js';
import { ActionForm, Actions, Button, Check, Field, Select } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { formWords } from '../forms/words.js';
import { spamWords } from './words.js';
import { SCRIPT_NAMES } from '../../spam/evidence/scripts.js';
import { CAPTCHA_PROVIDERS } from '../../spam/evidence/form-captcha.js';
import { PROOF, type SpamTyped } from './spam.js';

interface RulesProps {
  form: { identifier: string };
  typed: SpamTyped;
  problems: FieldProblem[];
}

/** Draws by which checks a form judges what is sent, and from which scores on it is held or spam. */
export function Rules(props: RulesProps) {
  const { form, typed, problems } = props;
  return (
    <ActionForm action={`/forms/${form.identifier}/spam`} problems={problems}>
      <p class="hint">{spamWords.tuneHint}</p>
      <table class="labels">
        <thead>
          <tr>
            <th scope="col">{spamWords.signal}</th>
            <th scope="col">{spamWords.on}</th>
            <th scope="col">{spamWords.points}</th>
          </tr>
        </thead>
        <tbody>
          {typed.signals.map((signal) => (
            <SignalRow {...signal} problems={problems} />
          ))}
        </tbody>
      </table>
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
      <Actions>
        <Button>{formWords.save}</Button>
      </Actions>
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
