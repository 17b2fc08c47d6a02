import { Injectable } from '@nestjs/common';
import { PatternMatcher } from '../../forms/model/field-pattern.js';
import { FieldRules } from '../../forms/model/field-rules.js';
import type { Form } from '../../forms/model/form.entity.js';
import { Config } from '../../platform/config/config.js';
import { USER_AGENT } from '../../platform/http-client/guarded-http-client.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import {
  PROBE_HEADER,
  PROBE_REFUSED_KEY,
  PROBE_STORED,
  Probes,
} from '../../submissions/storage/probes.service.js';
import { failed, ok, skipped, unseen, type Step } from '../model/step.js';

/** Longest wait for an answer, in milliseconds: a visitor would be gone by then. */
const ANSWER_TIMEOUT_MS = 15 * SECOND_MS;
const KEY_REFUSED = /idempotency_key_malformed/i;
/** Codes of forms that their owner has closed. */
const SHUT = /^form_(?:paused|closed|full|not_open)/;

/** How sending a probe ended. */
interface SentProbe {
  isStored: boolean;
  steps: Step[];
}

/** Sends probes to the public address of a form, as visitors would. */
@Injectable()
export class ProbePost {
  constructor(
    private readonly probes: Probes,
    private readonly config: Config,
  ) {}

  async send(
    form: Form,
    id: Buffer,
    values: readonly [string, string][],
    signal?: AbortSignal,
  ): Promise<SentProbe> {
    const url = `${this.config.baseUrl}/f/${form.identifier}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          'user-agent': USER_AGENT,
          [PROBE_HEADER]: await this.probes.headerFor(form.identifier, id),
        },
        body: new URLSearchParams([
          ...values.map((pair) => [...pair]),
          ['_idempotency_key', PROBE_REFUSED_KEY],
        ]),
        signal: AbortSignal.any([
          AbortSignal.timeout(ANSWER_TIMEOUT_MS),
          ...(signal ? [signal] : []),
        ]),
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      const detail = `${url} does not respond (${reasonOf(error)}). Check BASE_URL, its DNS, its certificate and the proxy.`;
      return notStored(failed('address', 'address_unreachable', detail));
    }
    const outcome = response.headers.get(PROBE_HEADER);
    if (outcome === null) return notStored(foreign(response, text, url));
    const reached = ok('address', `This service answers at ${url}.`);
    if (outcome === PROBE_STORED) {
      const taken = ok('intake', 'The test submission was accepted.');
      return { isStored: true, steps: [reached, taken] };
    }
    return notStored(reached, refusal(form, values, outcome, messageIn(text)));
  }
}

function notStored(...steps: Step[]): SentProbe {
  return { isStored: false, steps };
}

/** Says what is wrong with an answer that is not ours. */
function foreign({ status, headers }: Response, text: string, url: string): Step {
  if (KEY_REFUSED.test(text)) {
    const detail = `The service refused the test submission as it would a visitor’s: a proxy drops the header ${PROBE_HEADER}, or another instance with another database answers at ${url}.`;
    return failed('address', 'header_dropped', detail);
  }
  if (status >= 300 && status < 400) {
    const to = headers.get('location') ?? '';
    const detail = `${url} redirects to ${to.slice(0, 200)}, and what is sent is lost. Set BASE_URL to the address that visitors use.`;
    return failed('address', 'address_redirects', detail);
  }
  if (status >= 500) {
    const detail = `The proxy of ${url} answers ${status}. Check whether the service runs and the proxy finds it.`;
    return failed('address', 'address_error', detail);
  }
  const detail = `${url} answers ${status}, and not from this service. Set BASE_URL to the address that visitors use, and let the proxy pass POST.`;
  return failed('address', 'address_not_ours', detail);
}

/** Says what a refusal of the intake means. */
function refusal(
  form: Form,
  values: readonly [string, string][],
  code: string,
  message: string,
): Step {
  if (SHUT.test(code)) return skipped('intake', code, `The form takes no submissions: ${message}`);
  if (code === 'database_unavailable') return failed('database', code, message);
  const rules = FieldRules.decode(form.fieldRules);
  const broken = rules.problemsOf(
    SubmittedValues.ofPairs(values).items(),
    [],
    new PatternMatcher(),
  );
  if (code === 'invalid_fields' && broken.length > 0) {
    const fields = broken.map(({ field }) => `“${field}”`).join(', ');
    const detail = `We can invent no values for the rules of ${fields}, so the way behind the rules is not checked.`;
    return unseen('intake', 'rules_unmet', detail);
  }
  return failed('intake', code, `The service refuses submissions: ${message}`);
}

/** Returns the message of an error, in whatever shape the dialect of the form has it. */
function messageIn(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    return [message, error].find((each) => typeof each === 'string') ?? text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}

/** Returns the cause, which fetch hides behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    cause?: { code?: string; message?: string };
    message: string;
  };
  return cause?.code ?? cause?.message ?? message;
}
