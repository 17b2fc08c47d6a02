import { Injectable } from '@nestjs/common';
import { AliasesService } from '../../aliases/aliases.service.js';
import { FieldRules } from '../../forms/model/field-rules.js';
import type { Form } from '../../forms/model/form.entity.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { Config } from '../../platform/config/config.js';
import { GuardedHttpClient, USER_AGENT } from '../../platform/http-client/guarded-http-client.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { pageOf } from '../../submissions/model/page-address.js';
import { SubmissionIds } from '../../submissions/rows/submission-ids.js';
import {
  SubmissionsService,
  type SubmissionInFull,
} from '../../submissions/submissions.service.js';
import { failed, ok, skipped, unseen, type Step } from '../model/step.js';
import { PageFetcher, type FetchedPage } from './fetch-page.js';
import { mentions, targetOf } from './form-address.js';
import { judgePage } from './judge-page.js';
import type { PageFacts, PageProblem } from './page-facts.js';
import { PageTooComplex } from './parse-bounded.js';
import { addressIn, readPage, type Page } from './read-page.js';

/** Newest submissions of a form that say which page it has, and which fields. */
const RECENT_ROWS = 30;
/** Fewest submissions of a page that tell which fields are usual, and the share of them that has those. */
const USUAL_LEAST = 5;
const USUAL_SHARE = 0.95;
/** Fields that scripts and campaigns add. */
const NOT_USUAL = /^(?:_|utm_|gclid$|fbclid$)/;
/** Most scripts of a page that are read where no form of it is ours. */
const SCRIPTS_MAX = 6;

const TOO_COMPLEX: PageProblem = {
  code: 'page_too_complex',
  detail: 'The page has more than 100,000 elements, or some that are 1,000 deep in others.',
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
   * @param given its address; null for that of the newest submission
   * @param signal ends it early, with an error
   */
  async check(form: Form, given: string | null, signal?: AbortSignal): Promise<Step[]> {
    const recent = await this.recentOf(form);
    const address = given ?? recent.find((each) => this.hasPage(each))?.submission.referer ?? null;
    if (address === null || !URL.canParse(address)) {
      const detail =
        'No submission says which page it came from, so no page is checked. Set the page of the form.';
      return [unseen('page', 'page_unknown', detail), skippedForm()];
    }
    const url = new URL(address);
    url.hash = '';
    const fetched = await this.fetcher.fetch(url, signal);
    if ('step' in fetched) return [fetched, skippedForm()];
    const facts = await this.factsOf(form, fieldsOf(recent, url));
    const problems = await this.judge(form, fetched, facts);
    const gate = problems.find(({ code }) => code.startsWith('page_'));
    if (gate) {
      const { code, detail, isUnseen } = gate;
      return [
        isUnseen ? unseen('page', code, detail) : failed('page', code, detail),
        skippedForm(),
      ];
    }
    const seen = ok('page', `${fetched.url.href} can be fetched.`);
    if (problems.length === 0) {
      return [
        seen,
        ok('form', `Its form is sent to ${facts.address} with the fields that it needs.`),
      ];
    }
    return [
      seen,
      ...problems.map(({ code, detail, isUnseen }) =>
        isUnseen ? unseen('form', code, detail) : failed('form', code, detail),
      ),
    ];
  }

  private async judge(form: Form, fetched: FetchedPage, facts: PageFacts): Promise<PageProblem[]> {
    const page = pageIn(fetched);
    if (!page) return [TOO_COMPLEX];
    const known = { ...facts, hosts: await this.hostsAmong(form, page, facts) };
    const problems = judgePage(page, fetched, known);
    const isOurs = page.forms.some((each) => targetOf(each, page, known) === 'ours');
    if (isOurs || problems.some(({ isUnseen }) => isUnseen)) return problems;
    // A script that is loaded may send the form.
    const own = page.sources.filter(({ host }) => host === page.url.host).slice(0, SCRIPTS_MAX);
    for (const source of own) {
      const script = await this.fetcher.readScript(source);
      if (mentions(script, known)) return judgePage({ ...page, scripts: script }, fetched, known);
    }
    return problems;
  }

  /** Returns the hosts of a page's actions that lead here, with that of BASE_URL. */
  private async hostsAmong({ identifier }: Form, page: Page, facts: PageFacts) {
    const hosts = new Set(facts.hosts);
    for (const form of page.forms) {
      const url = form.action === null ? null : addressIn(form.action, page.base);
      if (!url || hosts.has(url.host)) continue;
      const isClients = (await this.addresses.holderOf(url.hostname)) !== null;
      const isOld = !isClients && targetOf(form, page, facts) === 'old';
      if (isClients || (isOld && (await this.leadsHere(url.origin, identifier)))) {
        hosts.add(url.host);
      }
    }
    return hosts;
  }

  /** Tells whether a host that we do not know shows the form as we do: the service can have several names. */
  private async leadsHere(origin: string, identifier: string): Promise<boolean> {
    const headers = { 'user-agent': USER_AGENT };
    const signal = AbortSignal.timeout(5_000);
    const shown = await this.http
      .read(`${origin}/f/${identifier}`, headers, signal)
      .catch(() => null);
    return shown?.status === 200 && shown.body.includes(identifier);
  }

  private async factsOf(form: Form, usual: string[]): Promise<PageFacts> {
    const { accountId, identifier } = form;
    const { baseUrl } = this.config;
    const settings = SpamSettings.of(form);
    const aliases = await this.aliases.list({ accountId, clientId: null }, identifier);
    const rules = FieldRules.decode(form.fieldRules);
    return {
      ...{ identifier, usual, address: `${baseUrl}/f/${identifier}` },
      aliases: aliases.map(({ value }) => value),
      hosts: new Set([new URL(baseUrl).host]),
      required: rules.list.flatMap(({ field, required }) => (required === true ? field : [])),
      honeypots: settings.honeypots,
      asksForProof: settings.asksForProof,
      captcha: settings.captcha,
    };
  }

  private async recentOf(form: Form): Promise<SubmissionInFull[]> {
    const filter = { ...EVERYTHING, spam: false, trash: false };
    const ids = await this.ids.newest(form.id, filter, RECENT_ROWS);
    const recent: SubmissionInFull[] = [];
    for await (const some of this.submissions.read(form, ids)) recent.push(...some);
    return recent;
  }

  /** Tells whether a submission says which page it came from, and that is none of ours. */
  private hasPage({ submission }: SubmissionInFull): boolean {
    const { referer } = submission;
    if (referer === null || pageOf(submission) === '') return false;
    return new URL(referer).origin !== new URL(this.config.baseUrl).origin;
  }
}

/** Returns the fields that nearly all of these submissions of a page had; none where those are few. */
function fieldsOf(recent: readonly SubmissionInFull[], { origin, pathname }: URL): string[] {
  const ofPage = recent.filter(({ submission: { referer } }) => {
    const page = referer !== null && URL.canParse(referer) ? new URL(referer) : null;
    return page?.origin === origin && page.pathname === pathname;
  });
  if (ofPage.length < USUAL_LEAST) return [];
  const counts = new Map<string, number>();
  for (const { submission, files } of ofPage) {
    const names = [...submission.texts.map(({ name }) => name), ...files.map(({ field }) => field)];
    for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].flatMap(([name, count]) =>
    count >= ofPage.length * USUAL_SHARE && !NOT_USUAL.test(name) ? [name] : [],
  );
}

function pageIn({ html, url }: FetchedPage): Page | null {
  try {
    return readPage(html, url);
  } catch (error) {
    if (error instanceof PageTooComplex) return null;
    throw error;
  }
}

function skippedForm(): Step {
  return skipped('form', 'page_unseen', 'The form is not checked, since its page was not seen.');
}
