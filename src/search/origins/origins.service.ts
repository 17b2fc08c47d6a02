import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { domainOf, withDomain } from '../../forms/model/form-values.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormsService } from '../../forms/forms.service.js';
import { Clock, DAY_MS, timeOf } from '../../platform/index.js';
import { allowsOrigin } from '../../spam/signals/origin.js';
import { keyOf, SubmissionIds, FROM_NEWEST } from '../../submissions/rows/submission-ids.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { FormRowsRepository } from '../finder/selection.js';
import { OriginsRepository } from './origins.repository.js';

/** Age of submissions that are looked at, in milliseconds. */
const RECENT_MS = 30 * DAY_MS;
/** Newest submissions that are looked at, of those that are spam and of the others each. */
const NEWEST = 200;
/**
 * Texts that the embedded database may have to pass over on its way to the origins, in bytes. It answers
 * synchronously, so others would wait.
 */
const PASSED_BYTES_MAX = 16 * 1024 * 1024;

/** Latest spam that is scanned for a warning. */
const RECENT_SPAM_ROWS = 50;

/** Where submissions of a form came from lately. */
export interface Origin {
  /** Such as `https://example.com`; null when the browser did not say. */
  origin: string | null;
  /** The entry of the allowed domains that takes it; null when there can be none. */
  domain: string | null;
  /** Whether the allowed domains take it now. */
  isAllowed: boolean;
  /** How many of the submissions that were looked at came from there. */
  submissions: number;
  /** When the newest of them came. */
  lastAt: Date;
}

/** Finds where the submissions of a form come from, and allows more of it. */
@Injectable()
export class OriginsService {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly ids: SubmissionIds,
    private readonly rows: FormRowsRepository,
    private readonly origins: OriginsRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the origins of the newest submissions, the latest first.
   * @throws FormNotFound
   */
  async list(scope: Scope, identifier: string): Promise<Origin[]> {
    return this.of(await this.queries.get(scope, identifier));
  }

  /**
   * Adds a domain to those that a form may be sent from; where every domain is allowed, nothing changes.
   * @param domain as `parseDomain` returns it
   * @throws FormNotFound, DomainListFull
   */
  async allow(principal: Principal, identifier: string, domain: string): Promise<Origin[]> {
    const form = await this.forms.change(principal, identifier, ({ whitelistedDomains }) => ({
      whitelistedDomains: withDomain(whitelistedDomains, domain),
    }));
    return this.of(form);
  }

  /**
   * Returns the origins for which the latest spam of these forms since `from` was taken for it, each once, by the form;
   * without forms that have no spam since.
   */
  async refused(formIds: readonly number[], from: Date): Promise<Map<number, string[]>> {
    const filter = { ...EVERYTHING, spam: true, trash: false, from };
    const window = { page: 1, perPage: RECENT_SPAM_ROWS, before: null, after: null };
    const refused = new Map<number, string[]>();
    const first = await this.rows.firstOfEach(formIds, filter, 'DESC', FROM_NEWEST);
    for (const formId of first.keys()) {
      const { ids } = await this.ids.page(formId, filter, window, RECENT_SPAM_ROWS);
      refused.set(formId, await this.origins.refused(ids));
    }
    return refused;
  }

  /** Finds the origins of a form whose scope was checked already. */
  private async of(form: Form) {
    const ids = await this.newest(form.id);
    const found = new Map<string | null, Origin>();
    for (const { id, origin } of await this.origins.of(ids)) {
      const known = found.get(origin);
      if (known) known.submissions++;
      else found.set(origin, originOf(form, origin, timeOf(id)));
    }
    return [...found.values()];
  }

  /** Finds the submissions to look at, newest first. Spam has a share of its own: it may be much. */
  private async newest(formId: number) {
    const from = new Date(this.clock.now().getTime() - RECENT_MS);
    const shares = await Promise.all(
      [false, true].map((spam) => {
        const filter = { ...EVERYTHING, trash: false, spam, from };
        return this.rows.inOrder([formId], filter, 'DESC', NEWEST, FROM_NEWEST);
      }),
    );
    const ids = shares.flat().sort((a, b) => b.compare(a));
    const sizes = await this.submissions.sizes(ids);
    let left = PASSED_BYTES_MAX;
    return ids.filter((id) => {
      const isNear = left > 0;
      left -= sizes.get(keyOf(id)) ?? 0;
      return isNear;
    });
  }
}

function originOf(form: Form, origin: string | null, lastAt: Date): Origin {
  return {
    origin,
    domain: origin === null ? null : domainOf(origin),
    isAllowed: allowsOrigin(form.whitelistedDomains, origin),
    submissions: 1,
    lastAt,
  };
}
