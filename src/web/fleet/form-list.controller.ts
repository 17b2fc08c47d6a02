import { Get } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { ClientLists } from '../../clients/client-lists.service.js';
import { FleetService, type FleetPage } from '../../fleet/fleet.service.js';
import type { ListPages } from '../parts/lists.js';
import { FormsPage } from './form-list.page.js';
import { listAddress, listAsked, type ListAsk } from './list-ask.js';
import { page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Forms on a page of their list. */
const FORMS_ON_PAGE = 100;
/** Clients that the filter names; others are in the addresses of their pages. */
const CLIENTS_NAMED = 200;

/** Serves the list of forms: how each fares, filtered and sorted. */
@WebController('forms')
export class FormListController {
  constructor(
    private readonly fleet: FleetService,
    private readonly clients: ClientLists,
  ) {}

  /** List the forms. */
  @Get()
  @Requires('forms:read')
  async list(@Asked() { principal, query: sent }: PageInput): Promise<PageAnswer> {
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
  private async namesOf(
    principal: Principal,
    chosen: number | null,
  ): Promise<{ id: number; name: string }[]> {
    if (!principal.has('clients:read')) return [];
    const some = await this.clients.first(principal, CLIENTS_NAMED);
    const isMissing = chosen !== null && !some.some(({ id }) => id === chosen);
    const others = isMissing ? await this.clients.among(principal, [chosen]) : [];
    return [...some, ...others].sort((one, other) => one.name.localeCompare(other.name));
  }
}

function pagesOf(ask: ListAsk, { total }: FleetPage): ListPages {
  const at = (page: number) => listAddress({ ...ask, page });
  return {
    first: ask.page > 1 ? at(1) : null,
    next: ask.page * FORMS_ON_PAGE < total ? at(ask.page + 1) : null,
  };
}
