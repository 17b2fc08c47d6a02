import { Get, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { ClientLists } from '../../clients/client-lists.service.js';
import { ChangeFleetDto, FleetSettingsDto } from '../../fleet/dto/change-fleet.dto.js';
import { FORMS_CHANGED_MAX } from '../../fleet/fleet-change.js';
import { FleetChanges } from '../../fleet/fleet-changes.service.js';
import { FleetService } from '../../fleet/fleet.service.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { checked, isTicked, textsOf, type Typed } from '../parts/typed.js';
import { changeTyped, formsTyped } from './change-typed.js';
import { ChangePage } from './change.page.js';
import { FatesPage } from './fates.page.js';
import { listAsked } from './list-ask.js';
import { attempt, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Clients that can be chosen. */
const CLIENTS_NAMED = 200;

/** Serves the pages that change many forms at once: what to change, the differences, and what became of them. */
@WebController('change-forms')
export class FleetChangePagesController {
  constructor(
    private readonly fleet: FleetService,
    private readonly changes: FleetChanges,
    private readonly lists: FormQueries,
    private readonly clients: ClientLists,
  ) {}

  /** Ask what to change in the selected forms, or in all that a filter means. */
  @Get()
  @Requires('forms:write')
  async ask(@Asked() { principal, query: sent }: PageInput): Promise<PageAnswer> {
    const forms = isTicked(sent, 'all')
      ? (await this.fleet.meant(principal, listAsked(sent).filter)).forms
      : await this.lists.identified(principal, textsOf(sent, 'form'));
    return this.show(principal, forms, undefined, []);
  }

  /** Show the differences that a change makes, or make it. */
  @Post()
  @Requires('forms:write')
  async change(@Asked() { principal, typed: sent }: PageInput): Promise<PageAnswer> {
    const again = async (problems: FieldProblem[]) => {
      const forms = await this.lists.identified(principal, formsTyped(sent));
      return this.show(principal, forms, sent, problems);
    };
    if (isTicked(sent, 'edit')) return again([]);
    return attempt(async () => {
      const { change: asked } = await checked(ChangeFleetDto, changeTyped(sent));
      const { forms } = asked;
      const change = FleetSettingsDto.of(asked.settings);
      const isApplied = isTicked(sent, 'apply');
      const fates = isApplied
        ? await this.changes.apply(principal, forms, change)
        : await this.changes.preview(principal, forms, change);
      const clients = await this.clientsOf(principal);
      return page(FatesPage, { fates, clients, typed: sent, isApplied });
    }, again);
  }

  private async show(
    principal: Principal,
    forms: readonly FormSummary[],
    typed: Typed | undefined,
    problems: FieldProblem[],
  ): Promise<PageAnswer> {
    return page(ChangePage, {
      forms: forms.slice(0, FORMS_CHANGED_MAX),
      total: forms.length,
      clients: principal.has('clients:write') ? await this.clientsOf(principal) : [],
      ...{ typed, problems },
    });
  }

  private clientsOf(principal: Principal) {
    return this.clients.first(principal, CLIENTS_NAMED);
  }
}
