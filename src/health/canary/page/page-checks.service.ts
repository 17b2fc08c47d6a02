import { Injectable } from '@nestjs/common';
import { AliasesService } from '../../../forms/aliases/aliases.service.js';
import type { Form } from '../../../forms/model/form.entity.js';
import { PublicAddresses } from '../../../clients/hosts/hosts.service.js';
import {
  Config,
  GuardedHttpClient,
  USER_AGENT,
  HtmlTooComplex,
  OVER_PAGE_LIMITS,
  byteSize,
  SECOND_MS,
  parseUrl,
} from '../../../platform/index.js';
import { SpamSettings } from '../../../spam/judge/spam-settings.js';
import { RECEIVED } from '../../../submissions/filter/submission-filter.js';
import { SubmissionIds } from '../../../submissions/rows/submission-ids.js';
import { SubmissionsService, type SubmissionInFull } from '../../../submissions/submissions.service.js';
import { failed, ok, skipped, unseen, type Step } from '../step.js';
import { PageFetcher, type FetchedPage, type PageFacts, type PageProblem } from './fetch-page.js';
import { mentions, targetOf, judgePage } from './judge-page.js';
import { addressIn, ELEMENTS_CHARS, pageOf, type Page } from './read-page.js';
import { fieldsOf, pageAmong } from './recent-page.js';

/** Newest submissions of a form that say which page it has, and which fields. */
const RECENT_ROWS = 30;
/** Most scripts of a page that are read where no form of it is ours. */
const SCRIPTS_MAX = 6;
/** Most addresses of a page that are asked whether they lead here. */
const ASKED_MAX = 3;
/** Longest time for all that a page names, in milliseconds; each of them has five seconds. */
const NAMED_TIMEOUT_MS = 15 * SECOND_MS;
const ASK_TIMEOUT_MS = 5 * SECOND_MS;

const TOO_COMPLEX: PageProblem = {
  code: 'page_too_complex',
  detail: `Without its scripts the page is longer than ${byteSize(ELEMENTS_CHARS)}, or it has ${OVER_PAGE_LIMITS}.`,
  isUnseen: true,
};

/** Fetches the page of a form, and judges whether its form reaches us. */
@Injectable()
export class PageChecks {
  /** Replaced in tests. */
  fetcher: PageFetcher;

  constructor(
    private readonly http: GuardedHttpClient,
    private readonly aliases: AliasesService,
    private readonly addresses: PublicAddresses,
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsService,
    private readonly config: Config,
  ) {
    this.fetcher = new PageFetcher(http);
  }

  /**
   * Checks the page of a form.
   * @param given its address; null for that which most of the newest submissions came from
   * @param signal ends it early, with an error
   */
  async check(form: Form, given: string | null, signal?: AbortSignal): Promise<Step[]> {
    const recent = await this.recentOf(form);
    const ours = new URL(this.config.baseUrl).origin;
    const address = given ?? pageAmong(recent, form.whitelistedDomains, ours);
    const url = parseUrl(address);
    if (!url) {
      const detail = 'No submission says which page it came from, so no page is checked. Set the page of the form.';
      return [unseen('page', 'page_unknown', detail), skippedForm()];
    }
    url.hash = '';
    const steps = await this.stepsAt(url, form, recent, signal);
    if (given !== null || url.search === '') return steps;
    // What stands behind the question mark can be about the visitor.
    return steps.map((step) => ({ ...step, detail: step.detail.replaceAll(url.search, '') }));
  }

  private async stepsAt(
    url: URL,
    form: Form,
    recent: readonly SubmissionInFull[],
    signal?: AbortSignal,
  ): Promise<Step[]> {
    const fetched = await this.fetcher.fetch(url, signal);
    if ('step' in fetched) return [fetched, skippedForm()];
    const facts = await this.factsOf(form, fieldsOf(recent, url));
    const end = AbortSignal.any([AbortSignal.timeout(NAMED_TIMEOUT_MS), ...(signal ? [signal] : [])]);
    const problems = await this.judge(form, fetched, facts, end);
    // What the end of the process interrupts says nothing of the page.
    signal?.throwIfAborted();
    const gate = problems.find(({ code }) => code.startsWith('page_'));
    if (gate) {
      const { code, detail, isUnseen } = gate;
      return [isUnseen ? unseen('page', code, detail) : failed('page', code, detail), skippedForm()];
    }
    const seen = ok('page', `${fetched.url.href} can be fetched.`);
    if (problems.length === 0) {
      return [seen, ok('form', `Its form is sent to ${facts.address} with the fields that it needs.`)];
    }
    return [
      seen,
      ...problems.map(({ code, detail, isUnseen }) =>
        isUnseen ? unseen('form', code, detail) : failed('form', code, detail),
      ),
    ];
  }

  private async judge(form: Form, fetched: FetchedPage, facts: PageFacts, end: AbortSignal) {
    const page = await pageIn(fetched);
    if (!page) return [TOO_COMPLEX];
    const known = { ...facts, hosts: await this.hostsAmong(form, page, facts, end) };
    const problems = judgePage(page, fetched, known);
    const isOurs = page.forms.some((each) => targetOf(each, page, known) === 'ours');
    if (isOurs || problems.some(({ isUnseen }) => isUnseen)) return problems;
    // A script that is loaded may send the form.
    const own = page.sources.filter(({ host }) => host === page.url.host).slice(0, SCRIPTS_MAX);
    for (const source of own) {
      const script = await this.fetcher.readScript(source, end);
      if (mentions(script, known)) return judgePage({ ...page, scripts: script }, fetched, known);
    }
    return problems;
  }

  /** Returns the hosts of a page's actions that lead here, with that of BASE_URL. */
  private async hostsAmong({ identifier }: Form, page: Page, facts: PageFacts, end: AbortSignal) {
    const hosts = new Set(facts.hosts);
    const looked = new Set<string>();
    const asked = new Set<string>();
    for (const form of page.forms) {
      const url = form.action === null ? null : addressIn(form.action, page.base);
      if (!url || hosts.has(url.host)) continue;
      const isNew = !looked.has(url.host);
      looked.add(url.host);
      if (isNew && (await this.addresses.holderOf(url.hostname)) !== null) {
        hosts.add(url.host);
        continue;
      }
      if (asked.has(url.origin) || asked.size === ASKED_MAX) continue;
      if (targetOf(form, page, facts) !== 'old') continue;
      asked.add(url.origin);
      if (await this.leadsHere(url.origin, identifier, end)) hosts.add(url.host);
    }
    return hosts;
  }

  /** Tells whether a host that we do not know shows the form as we do: the service can have several names. */
  private async leadsHere(origin: string, identifier: string, end: AbortSignal) {
    const headers = { 'user-agent': USER_AGENT };
    const signal = AbortSignal.any([end, AbortSignal.timeout(ASK_TIMEOUT_MS)]);
    const shown = await this.http.read(`${origin}/f/${identifier}`, headers, signal).catch(() => null);
    return shown?.status === 200 && shown.body.includes(identifier);
  }

  private async factsOf(form: Form, usual: string[]): Promise<PageFacts> {
    const { accountId, identifier } = form;
    const { baseUrl } = this.config;
    const settings = SpamSettings.of(form);
    const aliases = await this.aliases.list({ accountId, clientId: null }, identifier);
    return {
      ...{ identifier, usual, address: `${baseUrl}/f/${identifier}` },
      aliases: aliases.map(({ value }) => value),
      hosts: new Set([new URL(baseUrl).host]),
      required: form.fields.list.flatMap(({ name, required }) => (required === true ? name : [])),
      honeypots: settings.honeypots,
      asksForProof: settings.asksForProof,
      captcha: settings.captcha,
    };
  }

  private async recentOf(form: Form) {
    const ids = await this.ids.newest(form.id, RECEIVED, RECENT_ROWS);
    const recent: SubmissionInFull[] = [];
    for await (const some of this.submissions.read(form, ids)) recent.push(...some);
    return recent;
  }
}

async function pageIn({ html, url }: FetchedPage) {
  try {
    return await pageOf(html, url);
  } catch (error) {
    if (error instanceof HtmlTooComplex) return null;
    throw error;
  }
}

function skippedForm() {
  return skipped('form', 'page_unseen', 'The form is not checked, since its page was not seen.');
}
