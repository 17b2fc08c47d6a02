import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Allows, Requires, RoutesRequire } from '../../access/access.decorators.js';
import {
  DestinationLog,
  DestinationExclusions,
} from '../../destinations/destination-exclusions.service.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import { DestinationTrials } from '../../destinations/destination-trials.js';
import {
  ChangeDestinationDto,
  DestinationChangesDto,
  TryDestinationDto,
  CreateDestinationDto,
} from '../../destinations/dto/destination.dto.js';
import { CONDITIONS_MAX } from '../../destinations/model/condition.js';
import { checked, isTicked, textOf, type Typed } from '../parts/typed.js';
import { DestinationViews, listOf, pageOf } from './destination-views.js';
import { bodyOf, readTyped } from './typed.js';
import { attempt, goTo, type PageAnswer, framed } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { Principal } from '../../access/principal.js';
import { DestinationPreviews } from '../../destinations/destination-previews.js';
import { answerInFrame, MailFramePage } from '../previews/mail-frame.page.js';
import { labelOfField } from './destination.page.js';
import { KIND_NAMES, type KindName } from '../../destinations/kinds/kinds.js';
import { formatUuid } from '../../platform/kernel/uuid.js';

/** Lets a form leave out a destination of all forms. */
@WebController('forms/:identifier/destinations/:id')
@RoutesRequire('forms:write')
export class DestinationExclusionPagesController {
  constructor(
    private readonly exclusions: DestinationExclusions,
    private readonly forms: FormQueries,
  ) {}

  /** Leave it out. */
  @Post('exclude')
  exclude(@Asked() { principal, identifier, id }: PageInput): Promise<PageAnswer> {
    return this.set(principal, identifier, id, true);
  }

  /** Take it in again. */
  @Post('include')
  include(@Asked() { principal, identifier, id }: PageInput): Promise<PageAnswer> {
    return this.set(principal, identifier, id, false);
  }

  private async set(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    isExcluded: boolean,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    await this.exclusions.set(principal, form, id, isExcluded);
    return goTo(`/forms/${identifier}/destinations`, 'saved');
  }
}

/** Serves the frame that shows the mail of a destination, on its page. */
@WebController('forms/:identifier/destination-preview')
export class DestinationPreviewController {
  constructor(private readonly previews: DestinationPreviews) {}

  /** Show the mail as what is typed makes it; nothing is stored. */
  @Post()
  @Requires('forms:write')
  preview(@Asked() { principal, identifier, typed }: PageInput): Promise<PageAnswer> {
    return answerInFrame(async () => {
      const { settings } = bodyOf(readTyped(typed, 'email', 0), 'email', true);
      const { message, submissionId, ...whom } = await this.previews.of(
        principal,
        identifier,
        settings,
      );
      const { to: recipients, cc, bcc } = whom;
      const mail = { isOn: true, recipients, cc, bcc, message, isSample: submissionId === null };
      return framed(MailFramePage({ mail, test: null }));
    }, labelOfField);
  }
}

/** Serves the page of a destination. */
@WebController(['forms/:identifier/destinations/:id', 'destinations/:id'])
@RoutesRequire('forms:write')
export class DestinationPagesController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly log: DestinationLog,
    private readonly trials: DestinationTrials,
    private readonly views: DestinationViews,
  ) {}

  /** Show a destination and what it was sent. */
  @Get()
  async show(@Asked() { principal, identifier, query, id }: PageInput): Promise<PageAnswer> {
    const { home, opened } = await this.views.ofOne(principal, identifier, id);
    const asked = { principal, home };
    return this.views.page(asked, opened.destination.kind, opened, { query });
  }

  /** Change a destination. */
  @Post()
  async change(
    @Asked() { principal, identifier, typed: sent, request, id }: PageInput,
  ): Promise<PageAnswer> {
    const { home, opened } = await this.views.ofOne(principal, identifier, id);
    const { kind } = opened.destination;
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    return attempt(
      async () => {
        const body = { destination: bodyOf(typed, kind, false) };
        const { destination } = await checked(ChangeDestinationDto, body);
        const changes = DestinationChangesDto.changes(destination);
        await this.destinations.change(principal, home.place, id, changes);
        return goTo(request.path, 'saved');
      },
      (problems) => this.views.page({ principal, home }, kind, opened, { typed, problems }),
    );
  }

  /** Try its conditions as they were typed. */
  @Post('try')
  @Allows('see')
  async tryOut(
    @Asked() { principal, identifier, typed: sent, id }: PageInput,
  ): Promise<PageAnswer> {
    const { home, opened } = await this.views.ofOne(principal, identifier, id);
    const asked = { principal, home };
    const { kind } = opened.destination;
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    return attempt(
      async () => {
        const { match, conditions, settings } = bodyOf(typed, kind, false);
        const body = await checked(TryDestinationDto, { destination: { match, conditions } });
        const choice = TryDestinationDto.choice(body);
        const trial = await this.trials.tryOut(principal, home, choice, settings);
        return this.views.page(asked, kind, opened, { typed, trial });
      },
      (problems) => this.views.page({ principal, home }, kind, opened, { typed, problems }),
    );
  }

  /** Send it a sample, and show what came back. */
  @Post('test')
  async test(@Asked() { principal, identifier, id }: PageInput): Promise<PageAnswer> {
    const { home, opened } = await this.views.ofOne(principal, identifier, id);
    const test = await this.trials.test(principal, home.place, id, home.form);
    const asked = { principal, home };
    return this.views.page(asked, opened.destination.kind, opened, { test });
  }

  /** Send nothing there for now. */
  @Post('pause')
  async pause(@Asked() { principal, identifier, request, id }: PageInput): Promise<PageAnswer> {
    const { home } = await this.views.ofOne(principal, identifier, id);
    await this.destinations.change(principal, home.place, id, { paused: true });
    return goTo(pagePathOf(request), 'destination_paused');
  }

  /** Send there again; with `resend`, also what it missed. */
  @Post('resume')
  async resume(
    @Asked() { principal, identifier, typed: sent, request, id }: PageInput,
  ): Promise<PageAnswer> {
    const { home } = await this.views.ofOne(principal, identifier, id);
    await this.destinations.change(principal, home.place, id, { paused: false });
    if (isTicked(sent, 'resend')) await this.log.retry(principal, home.place, id);
    return goTo(pagePathOf(request), 'destination_resumed');
  }

  /** Move it up in the list. */
  @Post('up')
  async up(@Asked() { principal, identifier, id }: PageInput): Promise<PageAnswer> {
    const { home, opened } = await this.views.ofOne(principal, identifier, id);
    const all = await this.destinations.list(home.place);
    const at = all.findIndex((each) => each.destination.id.equals(opened.destination.id));
    await this.destinations.change(principal, home.place, id, { position: Math.max(at, 1) });
    return goTo(listOf(home), 'saved');
  }

  /** Retry everything that failed to go there. */
  @Post('retry')
  async retry(@Asked() { principal, identifier, request, id }: PageInput): Promise<PageAnswer> {
    const { home } = await this.views.ofOne(principal, identifier, id);
    await this.log.retry(principal, home.place, id);
    return goTo(pagePathOf(request), 'redelivered');
  }

  /** Delete it. */
  @Post('delete')
  async delete(@Asked() { principal, identifier, id }: PageInput): Promise<PageAnswer> {
    const { home } = await this.views.ofOne(principal, identifier, id);
    await this.destinations.delete(principal, home.place, id);
    return goTo(listOf(home), 'destination_deleted');
  }
}

/** Returns the page of a destination, behind whose address something is done. */
function pagePathOf({ path }: Request): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Serves the list of the destinations of a form or of all forms, and the page that adds one. */
@WebController(['forms/:identifier', ''])
@RoutesRequire('forms:write')
export class DestinationListPagesController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly trials: DestinationTrials,
    private readonly views: DestinationViews,
  ) {}

  /** Show where submissions go. */
  @Get('destinations')
  async list(@Asked() { principal, identifier, query }: PageInput): Promise<PageAnswer> {
    const home = await this.views.of(principal, identifier, query);
    return this.views.listPage({ principal, home });
  }

  /** Show the inputs of a new destination. */
  @Get('new-destination')
  async start(@Asked() { principal, identifier, query }: PageInput): Promise<PageAnswer> {
    const home = await this.views.of(principal, identifier, query);
    return this.views.page({ principal, home }, kindIn(query), null, {});
  }

  /** Add a destination. A signing secret that we make is shown once. */
  @Post('destinations')
  async create(
    @Asked() { principal, identifier, query, typed: sent }: PageInput,
  ): Promise<PageAnswer> {
    const kind = kindIn(sent);
    const home = await this.views.of(principal, identifier, query);
    const asked = { principal, home };
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    return attempt(
      async () => {
        const body = { destination: { ...bodyOf(typed, kind, true), kind } };
        const { destination } = await checked(CreateDestinationDto, body);
        const changes = { ...DestinationChangesDto.changes(destination), name: destination.name };
        const made = await this.destinations.create(principal, home.place, kind, changes);
        const madeSecret = typed.settings.secret === '' ? made.settings.secret : undefined;
        if (madeSecret !== undefined) return this.views.page(asked, kind, made, { madeSecret });
        return goTo(pageOf(home, formatUuid(made.destination.id)), 'destination_added');
      },
      (problems) => this.views.page({ principal, home }, kind, null, { typed, problems }),
    );
  }

  /** Try the conditions of a new destination. */
  @Post('new-destination')
  @Allows('see')
  async tryNew(
    @Asked() { principal, identifier, query, typed: sent }: PageInput,
  ): Promise<PageAnswer> {
    const kind = kindIn(sent);
    const home = await this.views.of(principal, identifier, query);
    const asked = { principal, home };
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    return attempt(
      async () => {
        const { match, conditions, settings } = bodyOf(typed, kind, true);
        const body = await checked(TryDestinationDto, { destination: { match, conditions } });
        const choice = TryDestinationDto.choice(body);
        const trial = await this.trials.tryOut(principal, home, choice, settings);
        return this.views.page(asked, kind, null, { typed, trial });
      },
      (problems) => this.views.page({ principal, home }, kind, null, { typed, problems }),
    );
  }
}

/** Returns the kind that was asked for; a webhook, which fits anything, unless there is such a one. */
function kindIn(typed: Typed | undefined): KindName {
  const kind = textOf(typed, 'kind');
  return KIND_NAMES.find((known) => known === kind) ?? 'webhook';
}
