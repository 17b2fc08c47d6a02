import { Get, Post } from '@nestjs/common';
import { Allows, Requires } from '../../access/access.decorators.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import { DestinationTrials } from '../../destinations/destination-trials.js';
import {
  CreateDestinationDto,
  DestinationChangesDto,
  TryDestinationDto,
} from '../../destinations/dto/destination.dto.js';
import { KIND_NAMES, type KindName } from '../../destinations/kinds/kinds.js';
import { CONDITIONS_MAX } from '../../destinations/model/condition.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { checked, textOf, type Typed } from '../parts/typed.js';
import { DestinationViews } from './destination-views.js';
import { Homes, pageOf } from './homes.js';
import { bodyOf, readTyped } from './typed.js';
import { attempt, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the list of the destinations of a form or of all forms, and the page that adds one. */
@WebController(['forms/:identifier', ''])
export class DestinationListPagesController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly trials: DestinationTrials,
    private readonly homes: Homes,
    private readonly views: DestinationViews,
  ) {}

  /** Show where submissions go. */
  @Get('destinations')
  @Requires('forms:write')
  async list(@Asked() { principal, identifier, query }: PageInput): Promise<PageAnswer> {
    const home = await this.homes.of(principal, identifier, query);
    return this.views.listPage({ principal, home });
  }

  /** Show the inputs of a new destination. */
  @Get('new-destination')
  @Requires('forms:write')
  async start(@Asked() { principal, identifier, query }: PageInput): Promise<PageAnswer> {
    const home = await this.homes.of(principal, identifier, query);
    return this.views.page({ principal, home }, kindIn(query), null, {});
  }

  /** Add a destination. A signing secret that we make is shown once. */
  @Post('destinations')
  @Requires('forms:write')
  async create(
    @Asked() { principal, identifier, query, typed: sent }: PageInput,
  ): Promise<PageAnswer> {
    const kind = kindIn(sent);
    const home = await this.homes.of(principal, identifier, query);
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
  @Requires('forms:write')
  @Allows('see')
  async tryNew(
    @Asked() { principal, identifier, query, typed: sent }: PageInput,
  ): Promise<PageAnswer> {
    const kind = kindIn(sent);
    const home = await this.homes.of(principal, identifier, query);
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
