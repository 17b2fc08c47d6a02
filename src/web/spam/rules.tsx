import type { FieldProblem } from '../../platform/kernel/errors.js';
import { fieldLabel } from '../../forms/model/field-label.js';
import { ActionForm, Actions, Button, Check, Field, Select } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words.js';
import { SCRIPT_NAMES } from '../../spam/evidence/scripts.js';
import { CAPTCHA_PROVIDERS } from '../../spam/evidence/form-captcha.js';
import { PROOF, type SpamTyped } from './spam.js';

const { spam } = words;

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
      <p class="hint">{spam.tuneHint}</p>
      <table class="labels">
        <thead>
          <tr>
            <th scope="col">{spam.signal}</th>
            <th scope="col">{spam.on}</th>
            <th scope="col">{spam.points}</th>
          </tr>
        </thead>
        <tbody>
          {typed.signals.map((signal) => (
            <SignalRow {...signal} problems={problems} />
          ))}
        </tbody>
      </table>
      <fieldset>
        <legend>{spam.bands}</legend>
        <Field
          {...{ name: 'spam.held_at', label: spam.heldAt, hint: spam.heldHint, problems }}
          value={typed.heldAt}
        />
        <Field
          {...{ name: 'spam.spam_at', label: spam.spamAt, hint: spam.spamHint, problems }}
          value={typed.spamAt}
        />
        <Field
          {...{ name: 'spam.hold_hours', label: spam.holdHours, hint: spam.holdHint, problems }}
          inputmode="numeric"
          value={typed.holdHours}
        />
        <Field
          {...{
            name: 'spam.honeypots',
            label: spam.honeypots,
            hint: spam.honeypotsHint,
            problems,
          }}
          value={typed.honeypots}
        />
      </fieldset>
      <fieldset>
        <legend>{spam.scripts}</legend>
        <p class="hint">{spam.scriptsHint}</p>
        <div class="pair">
          {SCRIPT_NAMES.map((name) => (
            <Check
              {...{ name: 'spam.scripts', value: name, label: spam.scriptNames[name] }}
              checked={typed.scripts.includes(name)}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>{spam.proof}</legend>
        <p class="hint">{spam.proofHint}</p>
        <Check
          {...{ name: PROOF, label: spam.requireProof, hint: spam.requireProofHint }}
          checked={typed.requiresProof}
        />
      </fieldset>
      <CaptchaFields {...props} problems={problems} />
      <Actions>
        <Button>{words.form.save}</Button>
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
        <Icon name="chevron-right" /> {spam.captcha}
      </summary>
      <p class="hint">{spam.captchaHint}</p>
      <Select
        {...{ name: 'spam.captcha.provider', label: spam.provider, value: captcha.provider }}
        options={[
          { value: '', label: spam.noCaptcha },
          ...CAPTCHA_PROVIDERS.map((value) => ({ value, label: spam.providers[value] })),
        ]}
      />
      <Field
        {...{ name: 'spam.captcha.site_key', label: spam.siteKey, hint: spam.siteKeyHint }}
        {...{ problems, value: captcha.siteKey, autocomplete: 'off' }}
      />
      <Field
        {...{ name: 'spam.captcha.secret', label: spam.secret, hint: spam.secretHint }}
        {...{ problems, value: captcha.secret, type: 'password', autocomplete: 'off' }}
      />
      <Field
        {...{ name: 'spam.captcha.action', label: spam.action, hint: spam.actionHint }}
        {...{ problems, value: captcha.action, autocomplete: 'off' }}
      />
      <Field
        {...{ name: 'spam.captcha.min_score', label: spam.minScore, hint: spam.minScoreHint }}
        {...{ problems, value: captcha.minScore }}
      />
    </details>
  );
}

function SignalRow(props: SpamTyped['signals'][number] & Pick<RulesProps, 'problems'>) {
  const { name, enabled, points, problems } = props;
  const label = spam.signals[name] ?? fieldLabel(name);
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
          aria-label={spam.onOf(label)}
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
          aria-label={spam.pointsOf(label)}
          aria-invalid={isWrong ? true : undefined}
        />
      </td>
    </tr>
  );
}
