import { Injectable, Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { h } from 'preact';
import type { IncomingMessage } from 'node:http';
import type { Response, Request } from 'express';
import { FormQueries } from '../forms/form-queries.service.js';
import { type Brand, BrandsService } from '../clients/brands/brands.service.js';
import { FormShut } from '../forms/model/form.errors.js';
import type { Form } from '../forms/model/form.entity.js';
import { type DomainError, Config, SigningService } from '../platform/index.js';
import { FieldsRefused, OptInLinkBroken } from '../submissions/model/submission.errors.js';
import { layout, type HtmlPage, fragment } from './layout.js';
import { refusedAnswers, targetsOf, type Carried, Refused } from './refused.page.js';
import { currentScript } from './scripts.js';
import {
  AskAgain,
  Closed,
  NotSent,
  Instructions,
  MethodMissing,
  NotShown,
  Thanks,
  UnknownForm,
} from './visitor.page.js';
import type { Principal } from '../accounts/access/index.js';
import { PublicAddresses } from '../clients/hosts/hosts.service.js';
import { visitorToAsk } from '../deliveries/delivery-planner.js';
import { FormFields } from '../forms/model/form-fields.js';
import { PAGE } from '../forms/model/form-page.js';
import { FormTokens } from '../spam/evidence/spam-evidence.js';
import { askedFields, FormPage } from './form.page.js';
import { labelsIn, thanksIn, toldOf, translated, wordsFor } from '../forms/model/form-language.js';
import { ENGLISH, preferredLanguage, type Words } from '../languages/words.js';
import type { FormSettings } from '../forms/model/form-settings.js';
import { formSnippet } from '../forms/model/form-snippet.js';
import { SubmissionPages } from '../search/pages/submission-pages.service.js';
import { lineLabel } from '../submissions/model/preview.js';
import { SubmittedValues } from '../submissions/model/submitted-values.js';
import {
  discardBody,
  errorHeaders,
  statusOf,
  acceptsHtmlByName,
  asDomainError,
  ProblemFilter,
} from '../platform/http/index.js';

/** Whose form it is, and where its visitor came from; null for what is not known. */
interface Known {
  form: Readonly<Form> | null;
  brand: Brand | null;
  from: string | null;
}

/** Draws the page that tells a visitor what went wrong. */
function failurePage(
  error: Pick<DomainError, 'code' | 'message'>,
  { form, brand, from }: Known,
  words: Words,
  carried: Carried,
  baseUrl: string,
) {
  if (error instanceof FormShut) return closedPage(error, { form, brand, from }, words);
  const title = words.say('not_sent');
  const colours = coloursOf(form, brand);
  if (!(error instanceof FieldsRefused)) {
    return layout(title, h(NotSent, { ...toldOf(error, form, words), brand }), words, { colours });
  }
  const refused = refusedAnswers(error, carried, new URL(baseUrl).origin, words);
  const targets = targetsOf(error.form, carried.target, baseUrl);
  return layout(title, h(Refused, { ...refused, brand, from }), words, { colours, targets });
}

/** Draws the page that says that a form takes no submissions now. */
export function closedPage(error: FormShut, { form, brand, from }: Known, words: Words): HtmlPage {
  const { message } = toldOf(error, form, words);
  return layout(words.say('form_closed'), h(Closed, { message, brand, from }), words, {
    colours: coloursOf(form, brand),
  });
}

/** Returns the colours of a page. @param form null for a page that has none of a form */
export function coloursOf(form: Readonly<Form> | null, brand: Brand | null) {
  const { bgColor = null, textColor = null, linkColor = null } = form ?? {};
  return { bgColor, textColor, linkColor, accent: brand?.colour ?? null };
}

export { snippetsFor, type ShownCaptcha } from './snippets.js';
export { NOTHING_CARRIED, type Carried } from './refused.page.js';

/** Purpose that links to thank-you pages are signed with. */
const THANKS = 'thanks';
/** Targets of the trial form: browsers apply `form-action` to the redirect too, and the owner chooses its site. */
const ANY_SITE = 'http: https:';
/** Life in milliseconds of such a link; later the page shows no values. */
const THANKS_TTL_MS = 60 * 60 * 1000;

/** Longest text that an address fills in, in characters. */
const PREFILLED_MAX = 1_000;
/** Matches sites that can stand in a policy. */
const PLAIN_SITE = /^(?:https?:\/\/)?[\w.:*-]+$/;

/** The part of a submission that a thank-you page shows. */
export interface Shown {
  values: SubmittedValues | null;
  /** Names of its files. */
  files: { field: string; name: string }[];
  /** Address of the page with the form; null when it is unknown. */
  from: string | null;
  /** Whom a link was sent to that sends the submission; null where nothing is to be confirmed. */
  asked: string | null;
  /** Whether that link was just sent again; false if it was not, null or absent if nobody asked for it. */
  isAskedAgain?: boolean | null;
  /** How the account looks whose form it is. */
  brand: Brand;
}

/** The page or redirect that a visitor gets after sending. */
export interface ThanksPreview {
  /** Where visitors go on to in place of the page; null when they see the page. */
  redirectUrl: string | null;
  page: HtmlPage;
  /** The submission that it is about; null when that is a sample. */
  submissionId: Buffer | null;
}

/** Address by which the page of a form was reached. */
interface AskedPage {
  /** Address of the service. */
  address: string;
  query: Readonly<Record<string, unknown>>;
}

/** Renders the pages that visitors and developers see. */
@Injectable()
export class Pages {
  private readonly baseUrl: string;

  constructor(
    config: Config,
    private readonly signing: SigningService,
    private readonly forms: FormQueries,
    private readonly examples: SubmissionPages,
    private readonly brands: BrandsService,
    private readonly addresses: PublicAddresses,
    private readonly tokens: FormTokens,
  ) {
    this.baseUrl = config.baseUrl;
  }

  /**
   * Returns the address of a submission's thank-you page, which is given to its visitor alone.
   * @param request that sent it: the page is where the form was sent to
   */
  async thanksUrl(request: IncomingMessage, identifier: string, submissionId: Buffer, now: Date) {
    const expiresAt = new Date(now.getTime() + THANKS_TTL_MS);
    const link = await this.signing.sign(THANKS, submissionId, expiresAt);
    return `${await this.addresses.ofRequest(request)}/f/${identifier}/thanks?s=${link}`;
  }

  /** Returns the id of the submission that a thank-you link is for; null when it is too old or was altered. */
  submissionOf(link: string): Promise<Buffer | null> {
    return this.signing.verify(THANKS, link, new Date());
  }

  thanks(form: Form, { values, files, from, asked, isAskedAgain = null, brand }: Shown, words: Words): HtmlPage {
    const { fields } = form;
    const labelOf = labelsIn(form, words);
    const names = files.map(({ field, name }) => ({ name: field, path: [], text: name }));
    const answers = values && [...fields.sorted(values.lines()), ...names];
    const sent = answers?.map(({ name, path, text }) => ({ label: lineLabel(labelOf(name), path), text })) ?? null;
    const title = words.say(asked === null ? 'thank_you' : 'one_more_step');
    const notice = isAskedAgain === null ? null : words.say(isAskedAgain ? 'link_sent_again' : 'link_sent_enough');
    const again = asked === null ? null : h(AskAgain, { notice });
    const content = h(Thanks, { title, text: thanksOf(form, asked, words), sent, from, ...brand }, again);
    const colours = coloursOf(form, brand);
    return layout(form.name, content, words, { colours, ...(asked !== null && { targets: "'self'" }) });
  }

  /**
   * Shows what the visitor of the newest submission gets, or that of a sample where there is none to be seen.
   * @param settings in place of those that are stored
   * @throws FormNotFound, TooManyRecipients
   */
  async preview(principal: Principal, identifier: string, settings: Partial<FormSettings>): Promise<ThanksPreview> {
    const form = (await this.forms.get(principal, identifier)).with(settings);
    const { full, isSample } = await this.examples.of(principal, form);
    const { submission, files } = full;
    const { showSubmittedValues: isShown, redirectUrl } = form;
    const shown = {
      values: isShown ? submission.values : null,
      files: isShown ? files : [],
      from: submission.referer,
      asked: visitorToAsk(form, submission.values),
      brand: await this.brands.ofForm(form),
    };
    const page = this.thanks(form, shown, wordsFor(form, submission.language));
    return { redirectUrl, page, submissionId: isSample ? null : submission.id };
  }

  /**
   * Tells a visitor what went wrong. Answers that break rules can be corrected there.
   * @param form that was sent; null where it is not known
   */
  async failure(
    error: Pick<DomainError, 'code' | 'message'>,
    form: Readonly<Form> | null,
    words: Words,
    carried: Carried,
  ): Promise<HtmlPage> {
    const brand = await this.brandOf(form);
    return failurePage(error, { form, brand, from: carried.page }, words, carried, this.baseUrl);
  }

  /** Tells it as the HTML that htmx swaps into the page of a form. */
  failureFragment(error: Pick<DomainError, 'code' | 'message'>, form: Readonly<Form> | null, words: Words) {
    const { message, detail } = toldOf(error, form, words);
    if (!(error instanceof FieldsRefused)) return fragment(detail ?? message, words);
    const labelOf = labelsIn(error.form, words);
    const labelled = error.fields.map(({ field, message: problem }) => `${labelOf(field)}: ${problem}`);
    return fragment(message, words, labelled);
  }

  /** Tells a visitor that there is no such form, and its owner what to do. */
  unknownForm(words: Words): HtmlPage {
    return layout(words.say('not_sent'), h(UnknownForm, {}), words);
  }

  /** Returns a message as the HTML that htmx swaps into the page of a form. */
  fragment(message: string, words: Words) {
    return fragment(message, words);
  }

  /** Explains why an address shows nothing, like the owner of what it was for where that is known. */
  async problem(error: DomainError, tag: string | null): Promise<HtmlPage> {
    const form = error instanceof OptInLinkBroken ? error.form : null;
    const words = wordsFor(form, tag);
    const brand = await this.brandOf(form);
    const content = h(NotShown, { ...toldOf(error, form, words), brand });
    return layout(words.say('link_broken'), content, words, { colours: coloursOf(null, brand) });
  }

  /**
   * Draws the page that a form has at its own address.
   * @param asked its address, as it was reached, and the query, which fills in fields
   */
  async ownPage(form: Form, { address, query }: AskedPage, brand: Brand, words: Words): Promise<HtmlPage> {
    const { title, text, indexed } = PAGE.of(form);
    const own = translated(form, words);
    const drawn = form.fields.list.length > 0 ? form : withDefaultFields(form, words);
    const given = (name: string) => {
      const value = query[name];
      return typeof value === 'string' ? value.slice(0, PREFILLED_MAX) : '';
    };
    const values = drawn.fields.list.map(({ name }) => ({ name, text: given(name) }));
    const heading = own.page_title ?? title ?? form.name;
    const content = h(FormPage, {
      ...{ brand, title: heading, text: own.page_text ?? text, button: words.say('send') },
      fields: askedFields(drawn, words, values),
      carried: [
        { name: '_token', text: await this.tokens.issue(form.id) },
        { name: '_language', text: words.language },
        { name: '_page', text: `${address}/f/${form.identifier}` },
      ],
    });
    return layout(heading, content, words, {
      colours: coloursOf(form, brand),
      targets: targetsOf(form, null, this.baseUrl),
      frames: framesOf(form),
      script: currentScript(),
      isIndexed: indexed,
    });
  }

  /** Explains a form's address to the developer who opens it. @param address of the service, as it was reached */
  instructions(form: Form, address: string, brand: Brand): HtmlPage {
    const { name, whitelistedDomains: domains } = form;
    const snippet = snippetFor(address, form);
    const content = h(Instructions, { name, domains, snippet, brand });
    return layout(name, content, ENGLISH, { colours: coloursOf(null, brand), targets: ANY_SITE });
  }

  /** Explains a GET that carries a form's fields: nothing was stored. @param address of the service, as it was reached */
  methodMissing(form: Form, address: string, brand: Brand, words: Words): HtmlPage {
    const content = h(MethodMissing, { snippet: snippetFor(address, form), brand });
    return layout(form.name, content, words, { colours: coloursOf(null, brand) });
  }

  /** Returns how a form's pages look; null where it is not known. */
  private brandOf(form: Readonly<Form> | null): Promise<Brand | null> {
    return form ? this.brands.ofForm(form).catch(() => null) : Promise.resolve(null);
  }
}

/** Returns what a form says to a visitor who sent it. @param asked whom a link was sent to, if anyone */
function thanksOf(form: Form, asked: string | null, words: Words) {
  if (asked === null) return thanksIn(form, words);
  return `${words.say('link_sent', { email: asked })} ${words.say('check_spam')}`;
}

/** Returns what it says to the visitor who sends these values. */
export function thanksTo(form: Form, members: SubmittedValues['members'], words: Words) {
  return thanksOf(form, visitorToAsk(form, new SubmittedValues(members)), words);
}

/** Returns a form with the fields of one that has none. */
function withDefaultFields(form: Form, words: Words) {
  const fields = new FormFields([
    { name: 'email', kind: 'email', required: true, label: words.say('your_email') },
    { name: 'message', kind: 'long_text', required: true, label: words.say('your_message') },
  ]);
  return form.with({ formFields: fields.encode() });
}

/** Returns the sites that may frame the page of a form, as a source list: those it may be sent from. */
function framesOf({ whitelistedDomains }: Pick<Form, 'whitelistedDomains'>) {
  if (whitelistedDomains === null) return '*';
  return ["'self'", ...whitelistedDomains.split(',').filter((site) => PLAIN_SITE.test(site))].join(' ');
}

function snippetFor(address: string, { identifier, name, fields: { list } }: Form) {
  return formSnippet({ address: `${address}/f/${identifier}`, name, fields: list }, currentScript());
}

/** Sends a page under its own policy. Any site may frame it, and no cache may keep it. */
export function sendPage(response: Response, { html, policy, language }: HtmlPage) {
  response.set('Content-Language', language);
  response.vary('Accept-Language');
  response.removeHeader('X-Frame-Options');
  response.set('Content-Security-Policy', policy);
  response.set('Cache-Control', 'no-store');
  response.type('html').send(html);
}

/** Answers errors with a page for browsers, and with problem details for everyone else and under /api. */
@Catch()
export class PageFilter implements ExceptionFilter {
  private readonly problems = new ProblemFilter();

  constructor(private readonly pages: Pages) {}

  catch(thrown: unknown, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    const request = host.switchToHttp().getRequest<Request>();
    const isForPeople = !request.path.startsWith('/api/') && acceptsHtmlByName(request.headers.accept);
    const error = isForPeople && !response.headersSent ? asDomainError(thrown, request) : null;
    if (error === null) {
      this.problems.catch(thrown, host);
      return;
    }
    if (!request.complete) discardBody(request);
    for (const [name, value] of errorHeaders(error)) response.set(name, value);
    response.status(statusOf(error));
    this.pages
      .problem(error, preferredLanguage(request.headers['accept-language']))
      .then((page) => {
        sendPage(response, page);
      })
      // Nobody waits for a filter: what it leaves behind would end the process.
      .catch(() => response.destroy());
  }
}
