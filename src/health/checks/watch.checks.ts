import { Injectable } from '@nestjs/common';
import { CanaryService } from '../canary/canary.service.js';
import { isOfService } from '../canary/model/step.js';
import type { Form } from '../../forms/model/form.entity.js';
import { Clock, DAY_MS } from '../../platform/kernel/time.js';
import type { FormWatch } from '../watch/model/form-watch.entity.js';
import { CONNECT_MS, type Sign } from '../watch/model/signs.js';
import { momentOf } from '../watch/rhythm/hours.js';
import { WatchService } from '../watch/watcher.js';
import { ChecksForms, findIn, type Found } from '../finding.js';

/** How long after it was made a form without submissions is told of, in milliseconds: later, nobody waits for any. */
const UNCONNECTED_MS = 30 * DAY_MS;

/** Finds what is unusual about forms, by how they are watched and by their canaries. */
@Injectable()
export class WatchChecks {
  constructor(
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly clock: Clock,
  ) {}

  @ChecksForms()
  async rhythm(forms: readonly Form[]) {
    const watches = await this.watches.among(forms.map(({ id }) => id));
    return findIn(forms, (form) => {
      const watch = watches.get(form.id);
      if (!watch || watch.state === 'off') return [];
      return [silence(watch), this.neverConnected(form, watch), ...watch.signs.map(signed)];
    });
  }

  /** Finds what canaries found at the pages, or why the forms refuse what they send. */
  @ChecksForms()
  async canary(forms: readonly Form[]) {
    const failures = await this.canaries.failuresOf(forms.map(({ id }) => id));
    return findIn(forms, ({ id }) => {
      const failure = failures.get(id);
      if (!failure || isOfService(failure.step)) return [];
      const { since, step, detail: text } = failure;
      const code = step === 'page' || step === 'form' ? 'page_broken' : 'canary_failing';
      return [{ code, severity: 'urgent', text, fix: '', since }];
    });
  }

  private neverConnected({ createdAt }: Form, { state }: FormWatch): Found | null {
    const age = this.clock.now().getTime() - createdAt.getTime();
    if (state !== 'never_connected' || age > UNCONNECTED_MS) return null;
    return {
      ...{ code: 'never_connected', severity: 'urgent', text: 'No submissions yet.' },
      fix: 'Set the action of a form on your page to its address, and submit a test.',
      since: new Date(createdAt.getTime() + CONNECT_MS),
    };
  }
}

function silence({ state, lastAt, silentFrom }: FormWatch): Found | null {
  if (state !== 'silent' || !lastAt || !silentFrom) return null;
  return {
    ...{ code: 'form_silent', severity: 'urgent', since: silentFrom },
    text: `No submissions since ${lastAt.toISOString()}, which is unusual for this form.`,
    fix: 'Open its page and submit a test.',
  };
}

function signed({ code, since, amount, of, error, field }: Sign): Found {
  const begin = momentOf(since);
  const from = begin.toISOString();
  const sentences: Record<Sign['code'], [string, string]> = {
    visitors_refused: [
      `The form refuses visitors since ${from}: ${amount} of ${of} submissions in the last day${refusal(error, field)}.`,
      'Compare its fields with those on its page.',
    ],
    verdicts_changed: [
      `Nearly all submissions since ${from} were filed as spam, ${amount} of ${of} in the last day.`,
      'Review them, and mark what is not spam.',
    ],
    spam_rising: [
      `Much more spam than usual since ${from}: ${amount} of ${of} submissions in the last day.`,
      'A captcha, proof of work or a blocklist stops it.',
    ],
  };
  const [text, fix] = sentences[code];
  return { code, severity: 'urgent', text, fix, since: begin };
}

/** Says what visitors got most. */
function refusal(error = '', field = ''): string {
  if (field !== '') {
    return error === 'required'
      ? ` ("${field}" is missing)`
      : ` (the rule for "${field}" refuses them)`;
  }
  return FAILED_CHECKS[error] === undefined ? '' : ` (${FAILED_CHECKS[error]})`;
}

const FAILED_CHECKS: Record<string, string | undefined> = {
  required: 'a field that a rule requires is missing',
  too_large: 'they are too large',
  empty: 'they have no fields',
  unreadable: 'they cannot be read',
  unknown_encoding: 'the form has an encoding that we do not know',
};
