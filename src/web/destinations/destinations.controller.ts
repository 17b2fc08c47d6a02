import { Get, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { Allows, RoutesRequire } from '../../accounts/access/index.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { FailingRecipients } from '../../deliveries/bounces/bounces.service.js';
import { beginningOf } from '../../deliveries/model/outcome.js';
import type { OpenedDestination } from '../../destinations/destination-opener.js';
import {
  DestinationPreviews,
  DestinationTrials,
  type Previewed,
  TestMailsService,
} from '../../destinations/destination-trials.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import {
  ChangeDestinationDto,
  CreateDestinationDto,
  DestinationChangesDto,
  TryDestinationDto,
} from '../../destinations/dto/destination.dto.js';
import { firstId, type Role } from '../../destinations/model/kind-settings.js';
import { SetVisitorAttachmentDto } from '../../forms/dto/form.dto.js';
import { VisitorAttachments } from '../../forms/visitor-attachments.service.js';
import { ReadsUpload, recordIdOf } from '../../platform/http/index.js';
import { formatUuid } from '../../platform/index.js';
import { attempt, framed, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';
import { checked, isTicked, textOf, type Typed } from '../parts/index.js';
import { answerInFrame, MailFramePage, type TestShown } from '../previews/mail-frame.page.js';
import { DestinationViews, listOf, pageOf, type DestinationsOf } from './destination-views.js';
import { labelOfField } from './destination.page.js';
import { DestinationSecretPage } from './destinations.page.js';
import { bodyOf, readTyped, sortIn, type Sort } from './typed.js';

/** Limits of an upload: above the limit of an attachment, so that a page can name that. */
const UPLOAD = { fileSize: 4 * 1024 * 1024, files: 1, fields: 4, fieldSize: 4096, parts: 6 };

/** The first destinations that have an address of their own. */
const NAMED: Record<string, Role> = { 'team-mail': 'team', 'visitor-mail': 'visitor', webhook: 'webhook' };

/** Serves what the pages of a form have besides: exclusions, its attachment, and the addresses of its first destinations. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class FormDestinationPagesController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly attachments: VisitorAttachments,
    private readonly failing: FailingRecipients,
    private readonly views: DestinationViews,
  ) {}

  /** Lead to one of the first destinations of a form. */
  @Get(Object.keys(NAMED))
  async named(@Asked() { principal, identifier, request, query }: PageInput) {
    const home = await this.destinations.homeOf(principal, identifier);
    const role = NAMED[request.path.slice(request.path.lastIndexOf('/') + 1)] ?? 'team';
    const state = textOf(query, 'state');
    const at = pageOf(home, formatUuid(firstId(home.form.id, role)));
    return goTo(state === '' ? at : `${at}?state=${encodeURIComponent(state)}#calls`);
  }

  /** Leave out a destination of all forms, or take it in again. */
  @Post(['destinations/:id/exclude', 'destinations/:id/include'])
  async set(@Asked() { principal, identifier, id, request }: PageInput) {
    const { form } = await this.destinations.homeOf(principal, identifier);
    await this.destinations.exclude(principal, form, id, request.path.endsWith('/exclude'));
    return goTo(`/forms/${identifier}/settings#notifications`, 'saved');
  }

  /** Have emails sent to a recipient again. */
  @Post('recipients/failing')
  async tryAgain(@Asked() { principal, identifier, typed: sent }: PageInput) {
    await this.failing.tryAgain(principal, identifier, textOf(sent, 'email'));
    return goTo(`/forms/${identifier}/settings#notifications`, 'recipient_tried');
  }

  /** Set the file that goes along with emails to visitors. */
  @Post('visitor-mail/attachment')
  @ReadsUpload()
  @UseInterceptors(FileInterceptor('attachment.content', { limits: UPLOAD }))
  async attach(
    @Asked() { principal, identifier, signedIn }: PageInput,
    @UploadedFile() file: { buffer: Buffer; originalname: string } | undefined,
  ) {
    return attempt(
      async () => {
        const field = 'attachment.content';
        // Browsers send names as UTF-8, which the reader of uploads takes for Latin-1.
        const name = file && Buffer.from(file.originalname, 'latin1').toString('utf8');
        const content = file?.buffer ?? Buffer.alloc(0);
        const attachment = { name, content: content.toString('base64') };
        const body = await checked(SetVisitorAttachmentDto, { attachment });
        await this.attachments.set(principal, identifier, body.attachment.name, content, field);
        return goTo(`/forms/${identifier}/visitor-mail`, 'saved');
      },
      async (problems) => {
        const home = await this.destinations.homeOf(principal, identifier);
        const opened = await this.destinations.first(home.form, 'visitor');
        const asked = { signedIn, principal, home };
        return this.views.page(asked, opened.destination, opened, { problems });
      },
    );
  }

  /** Remove that file. */
  @Post('visitor-mail/attachment/removal')
  async detach(@Asked() { principal, identifier }: PageInput) {
    await this.attachments.remove(principal, identifier);
    return goTo(`/forms/${identifier}/visitor-mail`, 'saved');
  }
}

/** Serves the frame that shows the mail of a destination, on its page. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class DestinationPreviewController {
  constructor(
    private readonly previews: DestinationPreviews,
    private readonly tests: TestMailsService,
    private readonly destinations: DestinationsService,
  ) {}

  /** Show the mail as the stored settings make it. */
  @Get('destinations/:id/preview')
  async stored(@Asked() { principal, identifier, id }: PageInput) {
    const mail = await this.previews.of(principal, identifier, { id, settings: {} });
    return framed(MailFramePage({ mail, test: null }));
  }

  /** Show the mail as what is typed makes it; nothing is stored. */
  @Post(['destinations/:id/preview', 'new-destination/preview'])
  preview(@Asked() input: PageInput) {
    return this.answer(input, () => null);
  }

  /** Send who is signed in a mail as what is typed makes it. */
  @Post(['destinations/:id/preview/tests', 'new-destination/preview/tests'])
  test(@Asked() input: PageInput) {
    return this.answer(input, async (asked) => {
      const { identifier, signedIn } = input;
      const sent = await this.tests.send(signedIn, { identifier, ...asked });
      const { verdict, outcome, answer } = sent;
      const { email: to } = signedIn.person;
      return { to, verdict, outcome, answer: answer && beginningOf(answer) };
    });
  }

  private async answer(
    { principal, identifier, id, typed }: PageInput,
    send: (asked: Previewed) => Promise<TestShown> | null,
  ) {
    const { place } = await this.destinations.homeOf(principal, identifier);
    const sort: Sort = id ? (await this.destinations.show(place, id)).destination : { kind: 'email', role: null };
    const { settings } = bodyOf(readTyped(typed, sort), sort, id === null);
    return answerInFrame(async () => {
      const test = await send({ id, settings });
      const mail = await this.previews.of(principal, identifier, { id, settings });
      return framed(MailFramePage({ mail, test }));
    }, labelOfField(sort));
  }
}

/** Serves pages about destinations of a form, of a client and of the account. */
@RoutesRequire('forms:write')
abstract class DestinationPages {
  constructor(
    protected readonly destinations: DestinationsService,
    protected readonly trials: DestinationTrials,
    protected readonly views: DestinationViews,
  ) {}

  /** Tries the conditions that were typed, and shows the page with what they would have chosen. */
  protected async tried(asked: DestinationsOf, sort: Sort, opened: OpenedDestination | null, given: Typed | undefined) {
    const typed = readTyped(given, sort);
    return attempt(
      async () => {
        const { match, conditions, settings } = bodyOf(typed, sort, opened === null);
        const body = await checked(TryDestinationDto, { destination: { match, conditions } });
        const choice = TryDestinationDto.choice(body);
        const trial = await this.trials.tryOut(asked.principal, asked.home, choice, settings);
        return this.views.page(asked, sort, opened, { typed, trial });
      },
      (problems) => this.views.page(asked, sort, opened, { typed, problems }),
    );
  }
}

/** Serves the page of a destination. */
@WebController(['forms/:identifier/destinations/:id', 'destinations/:id'])
@RoutesRequire('forms:write')
export class DestinationPagesController extends DestinationPages {
  /** Show a destination and what it was sent. */
  @Get()
  async show(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    return this.views.page(asked, opened.destination, opened, { query: input.query });
  }

  /** Change a destination. */
  @Post()
  async change(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    const { destination } = opened;
    const typed = readTyped(input.typed, destination);
    return attempt(
      async () => {
        const body = { destination: bodyOf(typed, destination, false) };
        const { destination: given } = await checked(ChangeDestinationDto, body);
        const changes = DestinationChangesDto.changes(given);
        await this.destinations.change(asked.principal, opened, changes);
        return goTo(input.request.path, 'saved');
      },
      (problems) => this.views.page(asked, destination, opened, { typed, problems }),
    );
  }

  /** Try its conditions as they were typed. */
  @Post('try')
  @Allows('see')
  async tryOut(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    return this.tried(asked, opened.destination, opened, input.typed);
  }

  /** Send it a sample, and show what came back. */
  @Post('test')
  async test(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    const test = await this.trials.test(asked.principal, opened.destination);
    return this.views.page(asked, opened.destination, opened, { test });
  }

  /** Send nothing there for now. */
  @Post('pause')
  async pause(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    await this.destinations.change(asked.principal, opened, { paused: true });
    return goTo(pagePathOf(input), 'destination_paused');
  }

  /** Send there again; with `resend`, also what it missed. */
  @Post('resume')
  async resume(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    await this.destinations.change(asked.principal, opened, { paused: false });
    if (!isTicked(input.typed, 'resend')) return goTo(pagePathOf(input), 'destination_resumed');
    await this.destinations.retry(asked.principal, opened.destination);
    return goTo(pagePathOf(input), 'destination_resent');
  }

  /** Retry everything that failed to go there. */
  @Post('retry')
  async retry(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    await this.destinations.retry(asked.principal, opened.destination);
    return goTo(pagePathOf(input), 'redelivered');
  }

  /** Move it up in its list. */
  @Post('up')
  async up(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    const all = await this.destinations.list(asked.home.place);
    const at = all.findIndex(({ destination }) => destination.id.equals(opened.destination.id));
    await this.destinations.change(asked.principal, opened, { position: Math.max(at, 1) });
    return goTo(pagePathOf(input), 'saved');
  }

  /** Delete it. */
  @Post('delete')
  async delete(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    await this.destinations.delete(asked.principal, opened.destination);
    return goTo(listOf(asked.home), 'destination_deleted');
  }

  /** Show the secret that signs the calls of the webhook of a form; that of others was shown once. */
  @Get('secret')
  @Fresh()
  async secret(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    const secret = opened.destination.role ? (opened.settings.secret ?? null) : null;
    const shown = await this.views.secret(asked, opened, secret);
    return page(DestinationSecretPage, shown, { isSecret: true });
  }

  /** Renew the signing secret, and show it. */
  @Post('secret')
  @Fresh()
  async renewSecret(@Asked() input: PageInput) {
    const { asked, opened } = await this.open(input);
    const renewed = await this.destinations.renewSecret(asked.principal, opened.destination);
    const shown = await this.views.secret(asked, renewed, renewed.settings.secret ?? null);
    return page(DestinationSecretPage, shown, { isSecret: true });
  }

  private async open({ principal, signedIn, identifier, id }: PageInput) {
    const { home, opened } = await this.destinations.find(principal, identifier, id);
    return { asked: { signedIn, principal, home }, opened };
  }
}

/** Returns the page of a destination, behind whose address something is done. */
function pagePathOf({ request: { path } }: PageInput) {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Serves the list of the destinations of a form or of all forms, and the page that adds one. */
@WebController(['forms/:identifier', ''])
@RoutesRequire('forms:write')
export class DestinationListPagesController extends DestinationPages {
  /** Show where all forms' submissions go; a form's destinations are among its notifications. */
  @Get('destinations')
  async list(@Asked() input: PageInput) {
    const asked = await this.asked(input);
    return asked.home.form ? goTo(listOf(asked.home)) : this.views.listPage(asked);
  }

  /** Show the inputs of a new destination. */
  @Get('new-destination')
  async start(@Asked() input: PageInput) {
    return this.views.page(await this.asked(input), sortIn(input.query), null, {});
  }

  /** Add a destination. A signing secret that we make is shown once. */
  @Post('destinations')
  async create(@Asked() input: PageInput) {
    const asked = await this.asked(input);
    const sort = sortIn(input.typed);
    const typed = readTyped(input.typed, sort);
    return attempt(
      async () => {
        const body = { destination: { ...bodyOf(typed, sort, true), kind: sort.kind } };
        const { destination } = await checked(CreateDestinationDto, body);
        const changes = { ...DestinationChangesDto.changes(destination), name: destination.name };
        const { principal, home } = asked;
        const made = await this.destinations.create(principal, home.place, sort.kind, changes);
        const madeSecret = typed.settings.secret === '' ? made.settings.secret : undefined;
        if (madeSecret !== undefined) return this.views.page(asked, sort, made, { madeSecret });
        return goTo(pageOf(home, formatUuid(made.destination.id)), 'destination_added');
      },
      (problems) => this.views.page(asked, sort, null, { typed, problems }),
    );
  }

  /** Try the conditions of a new destination. */
  @Post('new-destination')
  @Allows('see')
  async tryNew(@Asked() input: PageInput) {
    return this.tried(await this.asked(input), sortIn(input.typed), null, input.typed);
  }

  private async asked({ principal, signedIn, identifier, query }: PageInput) {
    const named = textOf(query, 'client_id');
    const clientId = named === '' ? null : recordIdOf(named);
    const home = await this.destinations.homeOf(principal, identifier, clientId);
    return { signedIn, principal, home };
  }
}
