import { Controller, Get, HttpCode, Param, Post, Res, UseGuards, Req, Query, Header, Body } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response, Request } from 'express';
import { h } from 'preact';
import { Public, RoutesRequire, InForm } from '../accounts/access/index.js';
import { RecipientsService } from '../mail/recipients/recipients.service.js';
import { AN_HOUR, FOR_EVER, RouteNotFound, Sends, addressOf, networkOf } from '../platform/http/index.js';
import { VisitorGuard, RateLimits, Config } from '../platform/index.js';
import { sendPage, coloursOf, closedPage, Pages } from './pages.js';
import { ScheduledMails } from '../mail/scheduled-mails.service.js';
import { BrandsService } from '../clients/brands/brands.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { Confirmations } from '../submissions/confirmations/confirmations.service.js';
import { OptInLinkBroken } from '../submissions/model/submission.errors.js';
import { layout } from './layout.js';
import { ownPath, PAGE } from '../forms/model/form-page.js';
import { wordsFor } from '../forms/model/form-language.js';
import { languageOf, preferredLanguage, type Words } from '../languages/words.js';
import { Confirm, Confirmed, ConfirmedSent, ConfirmSent, EndMails, MailsEnded } from './links.page.js';
import { AliasesService } from '../forms/aliases/aliases.service.js';
import { PublicAddresses } from '../clients/hosts/hosts.service.js';
import { IntakeGate } from '../forms/model/intake-gate.js';
import { visitorToAsk } from '../deliveries/delivery-planner.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { ProofsOfWork } from '../spam/proof-of-work/proofs-of-work.service.js';
import { VisitsService } from '../statistics/visits.service.js';
import { allowsOrigin } from '../spam/signals/origin.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { scriptNamed } from './scripts.js';
import { ChallengeDto, FormTokenDto, PreviewThankYouPageDto, ThankYouPageDto, VisitDto } from './visitor-pages.dto.js';
import { FormTokens } from '../spam/evidence/spam-evidence.js';
import { ChangeFormSettingsDto } from '../forms/dto/form.dto.js';

@Controller('recipients/:link')
@Public()
@UseGuards(VisitorGuard)
export class ConfirmController {
  constructor(private readonly recipients: RecipientsService) {}

  /** Show the page that confirms a recipient: programs that open the links of mails confirm nothing. */
  @Get()
  @Sends('text/html')
  async ask(@Param('link') link: string, @Res() response: Response): Promise<void> {
    sendPage(response, asking('Get these emails?', h(Confirm, await this.recipients.open(link))));
  }

  /** Confirm a recipient of an account's forms. */
  @Post()
  @HttpCode(200)
  @Sends('text/html')
  async confirm(@Param('link') link: string, @Res() response: Response): Promise<void> {
    sendPage(response, layout('Thank you', h(Confirmed, await this.recipients.confirm(link))));
  }
}

/** Ends mails that somebody gets again and again: digests and reports. */
@Controller('recipients/digests/:link')
@Public()
@UseGuards(VisitorGuard)
export class EndMailsController {
  constructor(private readonly mails: ScheduledMails) {}

  /** Show the page that stops mails: programs that open the links of mails end nothing. */
  @Get()
  @Sends('text/html')
  async ask(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await this.mails.open(link);
    sendPage(response, asking('Stop these emails?', h(EndMails, {})));
  }

  /** Stop mails, by the button or by one click in an email program (RFC 8058). */
  @Post()
  @HttpCode(200)
  @Sends('text/html')
  async end(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await this.mails.end(link);
    sendPage(response, layout('Emails stopped', h(MailsEnded, {})));
  }
}

@Controller('opt-in/:link')
@Public()
@UseGuards(VisitorGuard)
export class OptInController {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly brands: BrandsService,
    private readonly limits: RateLimits,
  ) {}

  /** Show the page that confirms a submission: programs that open the links of mails confirm nothing. */
  @Get()
  @Sends('text/html')
  async ask(@Param('link') link: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { form, optIn, language } = await this.known(this.confirmations.open(link), request, response);
    const { state, email } = optIn;
    const words = wordsFor(form, language);
    if (state === 'waiting') {
      const asked = await this.askedFor(form);
      const page = h(ConfirmSent, { ...asked, email });
      sendPage(response, asking(words.say('was_this_you'), page, words, { colours: coloursOf(form, asked.brand) }));
    } else await this.thank(form, false, words, response);
  }

  /** Confirm a submission, which sends what waits for that. */
  @Post()
  @HttpCode(200)
  @Sends('text/html')
  async confirm(@Param('link') link: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const confirmed = this.confirmations.confirm(link);
    const { form, wasWaiting, language } = await this.known(confirmed, request, response);
    await this.thank(form, wasWaiting, wordsFor(form, language), response);
  }

  /** Counts a link that is wrong like a wrong token. @throws RateLimited */
  private async known<T>(found: Promise<T>, request: Request, response: Response) {
    try {
      return await found;
    } catch (error) {
      if (error instanceof OptInLinkBroken) this.limits.countFailedAuth(request, response);
      throw error;
    }
  }

  private async thank(form: Form, isNew: boolean, words: Words, response: Response) {
    const asked = await this.askedFor(form);
    const title = words.say(isNew ? 'thank_you' : 'already_confirmed');
    const page = h(ConfirmedSent, { ...asked, isNew });
    sendPage(response, layout(title, page, words, { colours: coloursOf(form, asked.brand) }));
  }

  private async askedFor(form: Form) {
    return { formName: form.name, brand: await this.brands.ofForm(form) };
  }
}

/** Returns which of our languages a query says; null for none. */
const saidLanguage = (said: unknown) => languageOf(typeof said === 'string' ? said : null);

/** Returns the language that a browser prefers. */
const tagOf = ({ headers }: Request) => preferredLanguage(headers['accept-language']);

/** Draws a page with a button that sends it here. */
function asking(...[title, content, words, look]: Parameters<typeof layout>) {
  return layout(title, content, words, { ...look, targets: "'self'" });
}

@Controller('f/:identifier')
@Public()
@UseGuards(VisitorGuard)
export class PagesController {
  constructor(
    private readonly pages: Pages,
    private readonly brands: BrandsService,
    private readonly aliases: AliasesService,
    private readonly submissions: SubmissionsService,
    private readonly confirmations: Confirmations,
    private readonly addresses: PublicAddresses,
  ) {}

  /** Show the page of a form; without one, explain its address: a snippet to copy and a form to try. Closed forms say why. */
  @Get()
  @Sends('text/html')
  async instructions(
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { form } = await this.aliases.reach(identifier);
    const shut = IntakeGate.of(form).closedFor(form, new Date());
    const brand = await this.brands.ofForm(form);
    if (shut) {
      sendPage(response, closedPage(shut, { form, brand, from: null }, wordsFor(form, tagOf(request))));
      return;
    }
    const address = await this.addresses.ofRequest(request);
    if (PAGE.of(form).enabled) {
      const words = wordsFor(form, saidLanguage(request.query._language) ?? tagOf(request));
      sendPage(response, await this.pages.ownPage(form, { address, query: request.query }, brand, words));
      return;
    }
    const carriesFields = request.originalUrl.includes('?');
    const page = carriesFields
      ? this.pages.methodMissing(form, address, brand, wordsFor(form, tagOf(request)))
      : this.pages.instructions(form, address, brand);
    sendPage(response, page);
  }

  /** Show the thank-you page, with the submitted values if the form shows them and the link is fresh. */
  @Get('thanks')
  @Sends('text/html')
  async thanks(
    @Param('identifier') identifier: string,
    @Query('s') link: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.thank(identifier, link, request, response, false);
  }

  /** Send the email again that asks a visitor to confirm, once a minute and a few times at most. */
  @Post('thanks')
  @HttpCode(200)
  @Sends('text/html')
  async askAgain(
    @Param('identifier') identifier: string,
    @Query('s') link: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.thank(identifier, link, request, response, true);
  }

  private async thank(
    identifier: string,
    link: string | undefined,
    request: Request,
    response: Response,
    asksAgain: boolean,
  ) {
    const { form } = await this.aliases.reach(identifier);
    const id = await this.pages.submissionOf(link ?? '');
    const submission = id && (await this.submissions.find(form.id, id));
    const asked = submission && visitorToAsk(form, submission.values);
    // Most forms ask nobody: only then is it looked up whether they have answered.
    const optIn = submission && asked !== null ? (await this.confirmations.of(submission.id)).optIn : null;
    const shown = submission && form.showSubmittedValues ? submission : null;
    const [full] = shown ? await this.submissions.withFiles(form, [shown]) : [];
    const thanked = {
      values: shown?.values ?? null,
      files: full?.files ?? [],
      from: submission?.referer ?? null,
      // Spam waits for nobody: its sender is not to learn that.
      asked: optIn?.state === 'confirmed' ? null : asked,
      isAskedAgain:
        asksAgain && submission && asked !== null ? await this.confirmations.askAgain(form, submission.id) : null,
      brand: await this.brands.ofForm(form),
    };
    const words = wordsFor(form, submission ? submission.language : tagOf(request));
    sendPage(response, this.pages.thanks(form, thanked, words));
  }
}

@Controller('f/:identifier/challenge')
@Public()
@UseGuards(VisitorGuard)
export class ChallengeController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly proofs: ProofsOfWork,
    private readonly config: Config,
  ) {}

  /** Get a proof-of-work challenge; the solution is sent as `altcha`. */
  @Get()
  @Header('Cache-Control', 'no-store')
  @Header('Vary', 'Origin')
  async issue(
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ChallengeDto> {
    const { form } = await this.aliases.reach(identifier);
    const { origin = null } = request.headers;
    const reader = form.whitelistedDomains === null ? '*' : origin;
    if (reader !== null && allowsOrigin(form.whitelistedDomains, origin)) {
      response.setHeader('Access-Control-Allow-Origin', reader);
    }
    const network = networkOf(addressOf(request, this.config));
    return ChallengeDto.of(await this.proofs.challenge(form, network));
  }
}

@Controller('f/:identifier/token')
@Public()
@UseGuards(VisitorGuard)
export class FormTokenController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly tokens: FormTokens,
  ) {}

  /** Get a form token with the time of the request, to send as `_token`. */
  @Get()
  @Header('Cache-Control', 'no-store')
  @Header('Access-Control-Allow-Origin', '*')
  async issue(
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Query('_language') language?: string,
  ): Promise<FormTokenDto> {
    const { form } = await this.aliases.reach(identifier);
    const { asksForProof: proof } = SpamSettings.of(form);
    const words = wordsFor(form, saidLanguage(language) ?? tagOf(request));
    const texts = { offline: words.say('offline'), failed: words.say('failed') };
    return { token: await this.tokens.issue(form.id), proof, texts };
  }
}

@Controller('f/:identifier/visits')
@Public()
export class VisitsController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly visits: VisitsService,
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {}

  /** Count a visit to a page with the form. Nothing is kept that tells visitors apart. */
  @Post()
  @HttpCode(204)
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  async count(
    @Param('identifier') identifier: string,
    @Query() query: VisitDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    this.limits.admit('visits', networkOf(addressOf(request, this.config)), response);
    const { form } = await this.aliases.reach(identifier);
    // Pages that the form does not know would count what is no visit.
    const isOwn = PAGE.of(form).enabled && query.page === ownPath(form);
    if (!isOwn && !allowsOrigin(form.whitelistedDomains, request.headers.origin ?? null)) return;
    this.visits.count(form.id, VisitDto.of(query));
  }
}

/** Serves the scripts for pages of others, which load them from any origin. */
@ApiExcludeController()
@Controller()
@Public()
export class ScriptsController {
  /** Serve the newest script of this name. */
  @Get(['f.js', 'f-draft.js', 'proof-of-work.js'])
  newest(@Req() request: Request, @Res() response: Response): void {
    sendScript(request, response, AN_HOUR);
  }

  /** Serve one content for ever, which pages name by its hash. */
  @Get('f.:hash.js')
  one(@Req() request: Request, @Res() response: Response): void {
    sendScript(request, response, FOR_EVER);
  }
}

function sendScript(request: Request, response: Response, caching: string) {
  const script = scriptNamed(request.path.slice(1).toLowerCase());
  if (!script) throw new RouteNotFound();
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  script.send(request, response, caching);
}

@Controller('api/v1/forms/:identifier/thank-you-page')
@RoutesRequire('forms:read', 'forms:write')
export class ThankYouPageController {
  constructor(private readonly pages: Pages) {}

  /**
   * Preview the thank-you page of the newest submission. Where there is none, or for a token without
   * `submissions:read`, it is about a sample.
   */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<ThankYouPageDto> {
    return ThankYouPageDto.of(await this.pages.preview(principal, identifier, {}));
  }

  /** Preview the thank-you page with other settings. Nothing is stored. */
  @Post('preview')
  @HttpCode(200)
  async preview(
    @InForm() { principal, identifier }: InForm,
    @Body() { form = {} }: PreviewThankYouPageDto,
  ): Promise<ThankYouPageDto> {
    const settings = ChangeFormSettingsDto.of(form);
    return ThankYouPageDto.of(await this.pages.preview(principal, identifier, settings));
  }
}
