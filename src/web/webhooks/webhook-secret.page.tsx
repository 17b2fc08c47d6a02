import type { SignatureName } from '../../webhooks/signatures/signatures.js';
import { Confirm } from '../parts/confirm.js';
import { Copyable } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../parts/time.js';
import { words } from '../words.js';
import { FormHead, type FormShown } from '../form-head/form-head.js';

const { webhook } = words;

/** Draws the secret that signs calls, with the button that makes a new one. */
export function WebhookSecretPage(props: {
  frame: Frame;
  form: FormShown;
  secret: string;
  signature: SignatureName;
  previousSecretUntil: Date | null;
}) {
  const { form, signature } = props;
  const isStandard = signature === 'standard';
  const here = `/forms/${form.identifier}/webhook`;
  const { secretRenewAgain: again } = webhook;
  const hint = isStandard ? webhook.secretRenewHint : webhook.secretRenewAtOnce;
  return (
    <Shell title={`${webhook.secret} · ${form.name}`} frame={props.frame} section="forms">
      <FormHead form={form} tab="notifications" part="webhook" />
      <h2>{webhook.secret}</h2>
      <p>{signature === 'none' ? webhook.unsigned : webhook.secretHint}</p>
      <Copyable id="secret" text={props.secret} />
      <p class="hint">{isStandard ? webhook.secretUse : webhook.secretAsText}</p>
      <Former until={props.previousSecretUntil} />
      <Confirm
        action={`${here}/secret`}
        label={webhook.secretRenew}
        question={props.previousSecretUntil === null ? hint : `${hint} ${again}`}
        go={webhook.secretRenew}
        icon="refresh-cw"
      />
    </Shell>
  );
}

/** Says until when the former secret signs too. */
export function Former({ until }: { until: Date | null }) {
  return (
    until && (
      <p class="hint">
        {webhook.secretFormer} <Time at={until} />.
      </p>
    )
  );
}
