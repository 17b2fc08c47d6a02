import { Injectable, Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
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
import { Closed, NotSent, Instructions, MethodMissing, NotShown, Thanks, UnknownForm } from './visitor.page.js';
import type { Principal } from '../accounts/access/index.js';
import { PublicAddresses } from '../clients/hosts/hosts.service.js';
import { visitorToAsk } from '../deliveries/delivery-planner.js';
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
  error: Pick<DomainError, 'message'>,
  { form, brand, from }: Known,
  carried: Carried,
  baseUrl: string,
) {
  if (error instanceof FormShut) return closedPage(error, { form, brand, from });
  const title = 'Your submission was not sent';
  const colours = coloursOf(form, brand);
  if (!(error instanceof FieldsRefused)) {
    return layout(title, NotSent({ message: error.message, brand }), colours);
  }
  const refused = refusedAnswers(error, carried, new URL(baseUrl).origin);
  const targets = targetsOf(error.form, carried.target, baseUrl);
  return layout(title, Refused({ ...refused, brand, from }), colours, targets);
}

/** Draws the page that says that a form takes no submissions now. */
export function closedPage({ message }: FormShut, { form, brand, from }: Known): HtmlPage {
  const content = Closed({ message, brand, from });
  return layout('This form is closed', content, coloursOf(form, brand));
}

/** Returns the colours of a page. @param form null for a page that has none of a form */
export function coloursOf(form: Readonly<Form> | null, brand: Brand | null) {
  const { bgColor = null, textColor = null, linkColor = null } = form ?? {};
  return { bgColor, textColor, linkColor, accent: brand?.colour ?? null };
}

export { NOTHING_CARRIED, type Carried } from './refused.page.js';

/** Purpose that links to thank-you pages are signed with. */
const THANKS = 'thanks';
/** Targets of the trial form: browsers apply `form-action` to the redirect too, and the owner chooses its site. */
const ANY_SITE = 'http: https:';
/** Life in milliseconds of such a link; later the page shows no values. */
const THANKS_TTL_MS = 60 * 60 * 1000;

/** The part of a submission that a thank-you page shows. */
export interface Shown {
  values: SubmittedValues | null;
  /** Names of its files. */
  files: { field: string; name: string }[];
  /** Address of the page with the form; null when it is unknown. */
  from: string | null;
  /** Whom a link was sent to that sends the submission; null where nothing is to be confirmed. */
  asked: string | null;
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

  thanks(form: Form, { values, files, from, asked, brand }: Shown): HtmlPage {
    const { fields } = form;
    const names = files.map(({ field, name }) => ({ name: field, path: [], text: name }));
    const answers = values && [...fields.sorted(values.lines()), ...names];
    const sent =
      answers?.map(({ name, path, text }) => ({ label: lineLabel(fields.labelOf(name), path), text })) ?? null;
    const title = asked === null ? 'Thank you' : 'One more step';
    const content = Thanks({ title, text: thanksOf(form, asked), sent, from, ...brand });
    return layout(form.name, content, coloursOf(form, brand));
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
    const page = this.thanks(form, {
      values: isShown ? submission.values : null,
      files: isShown ? files : [],
      from: submission.referer,
      asked: visitorToAsk(form, submission.values),
      brand: await this.brands.ofForm(form),
    });
    return { redirectUrl, page, submissionId: isSample ? null : submission.id };
  }

  /**
   * Tells a visitor what went wrong. Answers that break rules can be corrected there.
   * @param form that was sent; null where it is not known
   */
  async failure(error: Pick<DomainError, 'message'>, form: Readonly<Form> | null, carried: Carried): Promise<HtmlPage> {
    const brand = await this.brandOf(form);
    return failurePage(error, { form, brand, from: carried.page }, carried, this.baseUrl);
  }

  /** Tells it as the HTML that htmx swaps into the page of a form. */
  failureFragment(error: Pick<DomainError, 'message'>) {
    if (!(error instanceof FieldsRefused)) return fragment(error.message);
    const { form, fields } = error;
    const labelled = fields.map(({ field, message }) => `${form.fields.labelOf(field)}: ${message}`);
    return fragment(error.message, labelled);
  }

  /** Tells a visitor that there is no such form, and its owner what to do. */
  unknownForm(message: string): HtmlPage {
    return layout('Your submission was not sent', UnknownForm({ message }));
  }

  /** Returns a message as the HTML that htmx swaps into the page of a form. */
  fragment(message: string) {
    return fragment(message);
  }

  /** Explains why an address shows nothing, like the owner of what it was for where that is known. */
  async problem(error: DomainError): Promise<HtmlPage> {
    const form = error instanceof OptInLinkBroken ? error.form : null;
    const brand = await this.brandOf(form);
    const content = NotShown({ message: error.message, brand });
    return layout('This link does not work', content, coloursOf(null, brand));
  }

  /** Explains a form's address to the developer who opens it. @param address of the service, as it was reached */
  instructions(form: Form, address: string, brand: Brand): HtmlPage {
    const { name, identifier, whitelistedDomains: domains } = form;
    const snippet = snippetFor(address, identifier);
    const content = Instructions({ name, domains, snippet, brand });
    return layout(name, content, coloursOf(null, brand), ANY_SITE);
  }

  /** Explains a GET that carries a form's fields: nothing was stored. @param address of the service, as it was reached */
  methodMissing({ name, identifier }: Form, address: string, brand: Brand): HtmlPage {
    const content = MethodMissing({ snippet: snippetFor(address, identifier), brand });
    return layout(name, content, coloursOf(null, brand));
  }

  /** Returns how a form's pages look; null where it is not known. */
  private brandOf(form: Readonly<Form> | null): Promise<Brand | null> {
    return form ? this.brands.ofForm(form).catch(() => null) : Promise.resolve(null);
  }
}

/** Returns what a form says to a visitor who sent it. @param asked whom a link was sent to, if anyone */
function thanksOf({ submissionText }: Pick<Form, 'submissionText'>, asked: string | null) {
  return asked === null
    ? submissionText
    : `We sent a link to ${asked}. Open it to send your message. No email? Check your spam folder.`;
}

/** Returns what it says to the visitor who sends these values. */
export function thanksTo(form: Form, members: SubmittedValues['members']) {
  return thanksOf(form, visitorToAsk(form, new SubmittedValues(members)));
}

function snippetFor(address: string, identifier: string) {
  return formSnippet(`${address}/f/${identifier}`);
}

/** Sends a page under its own policy. Any site may frame it, and no cache may keep it. */
export function sendPage(response: Response, { html, policy }: HtmlPage) {
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
      .problem(error)
      .then((page) => {
        sendPage(response, page);
      })
      // Nobody waits for a filter: what it leaves behind would end the process.
      .catch(() => response.destroy());
  }
}
