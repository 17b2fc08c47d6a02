import { beginningOf } from '../../deliveries/model/outcome.js';
import { toldState, type DeliveryWithAttempts } from '../../deliveries/model/delivery-filter.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { TestCall } from '../../webhooks/webhooks.service.js';
import { type CallShown, webhookWords, Calls, type CallsProps } from './webhook-calls.js';
import { type TestShown, Test } from '../deliveries/webhook-test.js';
import { FORMAT_NAMES, type FormatName } from '../../webhooks/formats/formats.js';
import { SIGNATURE_NAMES, type SignatureName } from '../../webhooks/signatures/signatures.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Notice, State, Copyable, Time } from '../parts/content.js';
import {
  ActionForm,
  Actions,
  Button,
  Check,
  Field,
  LinkButton,
  Select,
} from '../parts/controls.js';
import { callWords } from '../deliveries/words.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { Confirm } from '../parts/typed.js';

/** Returns how a test ended, as a page shows it. */
export function testOf({
  result: { verdict, outcome, code, answer },
  durationMs,
}: TestCall): TestShown {
  const kept = answer && beginningOf(answer);
  return { isDelivered: verdict === 'delivered', outcome, code, answer: kept, durationMs };
}

/**
 * Returns a delivery as a list of calls shows it.
 * @param identifier of its form; null when the reader may not see submissions
 */
export function callOf(sent: DeliveryWithAttempts, identifier: string | null): CallShown {
  const { delivery, attempts } = sent;
  const { id, submissionId, createdAt, nextTryAt: nextAttemptAt } = delivery;
  return {
    id: formatUuid(id),
    submission:
      submissionId && identifier !== null ? { identifier, id: formatUuid(submissionId) } : null,
    ...{ state: toldState(sent), nextAttemptAt, plannedAt: createdAt },
    tries: attempts.length,
    lastTry: attempts.at(-1) ?? null,
  };
}

interface WebhookPageProps extends Omit<CallsProps, 'here' | 'identifier'> {
  form: FormShown;
  /** As it is stored; null without one. */
  url: string | null;
  /** As it was typed. */
  typed: string;
  format: FormatName;
  signature: SignatureName;
  /** The body that a test sends. */
  sample: string;
  disabledAt: Date | null;
  /** Whether it is disabled because every call failed. */
  isGivenUp: boolean;
  failingSince: Date | null;
  /** When it is disabled if every call goes on failing. */
  failsUntil: Date | null;
  previousSecretUntil: Date | null;
  /** How the test that was just made ended. */
  test: TestShown | null;
  problems: FieldProblem[];
}

/** Draws the webhook of a form: its address, whether it is called, its secret, a test and its calls. */
export function WebhookPage(props: WebhookPageProps) {
  const { form, url } = props;
  const here = `/forms/${form.identifier}/webhook`;
  return (
    <FormShell form={form} title={webhookWords.title} tab="notifications" part="webhook">
      {url !== null && <Standing {...props} here={here} />}
      <div class="sections">
        <div class="halves">
          <div class="sections">
            <Address {...props} here={here} />
            {url !== null && <Test test={props.test} here={here} />}
          </div>
          <div class="sections">
            <Secret {...props} here={here} />
            {url !== null && props.disabledAt === null && <SwitchOff here={here} />}
          </div>
        </div>
        {(url !== null || props.calls.length > 0) && <Calls {...props} here={here} />}
      </div>
    </FormShell>
  );
}

type Part = WebhookPageProps & { here: string };

/** Says whether the address is called, and why not. */
function Standing({ disabledAt, isGivenUp, failingSince, failsUntil, here }: Part) {
  if (disabledAt !== null) {
    return (
      <Notice kind="warn">
        <p>
          {isGivenUp && failingSince ? (
            <>
              {webhookWords.offByFailures} <Time at={failingSince} />. {webhookWords.offAt}{' '}
              <Time at={disabledAt} />.
            </>
          ) : (
            <>
              {webhookWords.offByHand} <Time at={disabledAt} />.
            </>
          )}{' '}
          {webhookWords.offHint}
        </p>
        <ActionForm action={`${here}/enable`}>
          <Check name="resend" label={webhookWords.resend} checked />
          <Actions>
            <Button icon="webhook">{callWords.enable}</Button>
          </Actions>
        </ActionForm>
      </Notice>
    );
  }
  if (failingSince !== null && failsUntil !== null) {
    return (
      <Notice kind="warn">
        <p>
          {webhookWords.failing} <Time at={failingSince} />. {webhookWords.failingUntil}{' '}
          <Time at={failsUntil} />.
        </p>
      </Notice>
    );
  }
  return (
    <p>
      <State kind="good">{webhookWords.on}</State>
    </p>
  );
}

function Address({ here, url, typed, problems, format, signature, sample }: Part) {
  return (
    <section>
      <h2>{webhookWords.address}</h2>
      <ActionForm action={here} problems={problems}>
        <Field
          name="form.webhook_url"
          label={webhookWords.url}
          hint={webhookWords.addressHint}
          type="url"
          value={typed}
          problems={problems}
          autocomplete="off"
        />
        <Select
          name="webhook.format"
          label={webhookWords.format}
          value={format}
          options={FORMAT_NAMES.map((value) => ({ value, label: webhookWords.formats[value] }))}
        />
        <Select
          name="webhook.signature"
          label={webhookWords.signature}
          value={signature}
          options={SIGNATURE_NAMES.map((value) => ({
            value,
            label: webhookWords.signatures[value],
          }))}
        />
        <Actions>
          <Button kind={url === null ? 'primary' : 'plain'}>{webhookWords.save}</Button>
          {url !== null && (
            <Button kind="danger" icon="trash-2" name="remove" value="true">
              {webhookWords.remove}
            </Button>
          )}
        </Actions>
      </ActionForm>
      <h3>{webhookWords.sample}</h3>
      <p class="hint">{webhookWords.sampleHint}</p>
      <div class="copyable">
        <pre tabindex={0} dir="auto">
          {sample}
        </pre>
      </div>
    </section>
  );
}

function Secret({ previousSecretUntil, signature, here }: Part) {
  return (
    <section>
      <h2>{webhookWords.secret}</h2>
      <p class="hint">{signature === 'none' ? webhookWords.unsigned : webhookWords.secretHint}</p>
      <Former until={previousSecretUntil} />
      <LinkButton href={`${here}/secret`} icon="key-round">
        {webhookWords.secretShow}
      </LinkButton>
    </section>
  );
}

function SwitchOff({ here }: { here: string }) {
  return (
    <section>
      <h2>{webhookWords.disable}</h2>
      <p class="hint">{webhookWords.disableHint}</p>
      <ActionForm action={`${here}/disable`}>
        <Button kind="plain">{webhookWords.disable}</Button>
      </ActionForm>
    </section>
  );
}

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
function Former({ until }: { until: Date | null }) {
  return (
    until && (
      <p class="hint">
        {webhookWords.secretFormer} <Time at={until} />.
      </p>
    )
  );
}
