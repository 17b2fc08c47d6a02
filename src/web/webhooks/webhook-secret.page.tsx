import type { SignatureName } from '../../webhooks/signatures/signatures.js';
import { Confirm } from '../parts/confirm.js';
import { Copyable } from '../parts/content.js';
import { Time } from '../parts/time.js';
import { webhookWords } from './words.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';

/** Draws the secret that signs calls, with the button that makes a new one. */
export function WebhookSecretPage(props: {
  form: FormShown;
  secret: string;
  signature: SignatureName;
  previousSecretUntil: Date | null;
}) {
  const { form, signature } = props;
  const isStandard = signature === 'standard';
  const here = `/forms/${form.identifier}/webhook`;
  const { secretRenewAgain: again } = webhookWords;
  const hint = isStandard ? webhookWords.secretRenewHint : webhookWords.secretRenewAtOnce;
  return (
    <FormShell form={form} title={webhookWords.secret} tab="notifications" part="webhook">
      <h2>{webhookWords.secret}</h2>
      <p>{signature === 'none' ? webhookWords.unsigned : webhookWords.secretHint}</p>
      <Copyable id="secret" text={props.secret} />
      <p class="hint">{isStandard ? webhookWords.secretUse : webhookWords.secretAsText}</p>
      <Former until={props.previousSecretUntil} />
      <Confirm
        action={`${here}/secret`}
        label={webhookWords.secretRenew}
        question={props.previousSecretUntil === null ? hint : `${hint} ${again}`}
        go={webhookWords.secretRenew}
        icon="refresh-cw"
      />
    </FormShell>
  );
}

/** Says until when the former secret signs too. */
export function Former({ until }: { until: Date | null }) {
  return (
    until && (
      <p class="hint">
        {webhookWords.secretFormer} <Time at={until} />.
      </p>
    )
  );
}
