import { Get, Post } from '@nestjs/common';
import { Requires, RoutesRequire, Principal } from '../../accounts/access/index.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ChangeFleetDto, FleetSettingsDto } from '../../reports/fleet/fleet.dto.js';
import { FORMS_CHANGED_MAX } from '../../reports/fleet/fleet-change.js';
import { FleetChanges } from '../../reports/fleet/fleet-changes.service.js';
import { FleetService, type FleetPage } from '../../reports/fleet/fleet.service.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import type { FieldProblem } from '../../platform/index.js';
import { checked, isTicked, textsOf, type Typed, type ListPages } from '../parts/index.js';
import { changeTyped, formsTyped, listAsked, listAddress, type ListAsk } from './change-typed.js';
import { ChangePage, FatesPage } from './change.page.js';
import { attempt, page, Asked, type PageInput, WebController } from '../kit/index.js';
import { FormsPage } from './form-list.page.js';

/** Clients that can be chosen. */
const CLIENTS_NAMED = 200;

/** Serves the pages that change many forms at once: what to change, the differences, and what became of them. */
@WebController('change-forms')
@RoutesRequire('forms:write')
export class FleetChangePagesController {
  constructor(
    private readonly fleet: FleetService,
    private readonly changes: FleetChanges,
    private readonly lists: FormQueries,
    private readonly clients: ClientsService,
  ) {}

  /** Ask what to change in the selected forms, or in all that a filter means. */
  @Get()
  async ask(@Asked() { principal, query: sent }: PageInput) {
    const forms = isTicked(sent, 'all')
      ? (await this.fleet.meant(principal, listAsked(sent).filter)).forms
      : await this.lists.identified(principal, textsOf(sent, 'form'));
    return this.show(principal, forms, undefined, []);
  }

  /** Show the differences that a change makes, or make it. */
  @Post()
  async change(@Asked() { principal, signedIn, typed: sent }: PageInput) {
    const again = async (problems: FieldProblem[]) => {
      const forms = await this.lists.identified(principal, formsTyped(sent));
      return this.show(principal, forms, sent, problems);
    };
    const { timeZone } = signedIn.person;
    if (isTicked(sent, 'edit')) return again([]);
    return attempt(async () => {
      const { change: asked } = await checked(ChangeFleetDto, changeTyped(sent, timeZone));
      const { forms } = asked;
      const change = FleetSettingsDto.change(asked.settings);
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
  ) {
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

/** Forms on a page of their list. */
const FORMS_ON_PAGE = 100;

/** Serves the list of forms: how each fares, filtered and sorted. */
@WebController('forms')
export class FormListController {
  constructor(
    private readonly fleet: FleetService,
    private readonly clients: ClientsService,
  ) {}

  /** List the forms. */
  @Get()
  @Requires('forms:read')
  async list(@Asked() { principal, query: sent }: PageInput) {
    const ask = listAsked(sent);
    const slice = { page: ask.page, perPage: FORMS_ON_PAGE };
    const found = await this.fleet.page(principal, ask.filter, ask.order, slice);
    return page(FormsPage, {
      ...{ found, ask, pages: pagesOf(ask, found) },
      first: (ask.page - 1) * FORMS_ON_PAGE + 1,
      clients: await this.namesOf(principal, ask.filter.clientId),
      mayCreate: principal.has('forms:create'),
      mayChange: principal.has('forms:write'),
      mayCount: principal.has('submissions:read') && principal.may('see'),
    });
  }

  /** Returns the clients that the filter offers, the chosen one among them; none for who may not know any. */
  private async namesOf(principal: Principal, chosen: number | null): Promise<{ id: number; name: string }[]> {
    if (!principal.has('clients:read')) return [];
    const some = await this.clients.first(principal, CLIENTS_NAMED);
    const isMissing = chosen !== null && !some.some(({ id }) => id === chosen);
    const others = isMissing ? await this.clients.among(principal, [chosen]) : [];
    return [...some, ...others].sort((one, other) => one.name.localeCompare(other.name));
  }
}

function pagesOf(ask: ListAsk, { total }: FleetPage): ListPages {
  const at = (page: number) => listAddress({ ...ask, page });
  return { first: ask.page > 1 ? at(1) : null, next: ask.page * FORMS_ON_PAGE < total ? at(ask.page + 1) : null };
}
