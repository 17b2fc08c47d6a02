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
  previousSecretUntil: Date | null;
}) {
  const { form } = props;
  const here = `/forms/${form.identifier}/webhook`;
  const { secretRenewHint: hint, secretRenewAgain: again } = webhook;
  return (
    <Shell title={`${webhook.secret} · ${form.name}`} frame={props.frame} section="forms">
      <FormHead form={form} tab="notifications" part="webhook" />
      <h2>{webhook.secret}</h2>
      <p>{webhook.secretHint}</p>
      <Copyable id="secret" text={props.secret} />
      <p class="hint">{webhook.secretUse}</p>
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
