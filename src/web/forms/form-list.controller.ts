import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { ClientsService } from '../../clients/clients.service.js';
import { FormLists } from '../../forms/form-lists.service.js';
import type { FormSummary } from '../../forms/forms.service.js';
import { wordsIn } from '../../platform/kernel/text/name-search.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { StatisticsService } from '../../statistics/counts/statistics.service.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { Troubles } from '../layout/troubles.js';
import { WebController } from '../layout/web-controller.js';
import type { Chip } from '../parts/list-tools.js';
import { idOf, pagesOf, type ListPages } from '../parts/pages.js';
import { textOf, type Typed } from '../parts/typed.js';
import { words } from '../words.js';
import { FormsPage, type FormGroup, type FormRow } from './form-list.page.js';

/** Forms on a page of their list; as many can be arranged. */
const FORMS_ON_PAGE = 100;
/** Clients by which forms are grouped. */
const CLIENTS_MAX = 100;
/** Days that the list draws for each form. */
const DRAWN_DAYS = 30;

/** Orders of the list, and what each compares; without one, the oldest form is first. */
const ORDERS = {
  created: () => 0,
  name: (one: FormRow, other: FormRow) => one.name.localeCompare(other.name),
  submissions: (one: FormRow, other: FormRow) => other.count - one.count,
  latest: (one: FormRow, other: FormRow) =>
    (other.latestAt?.getTime() ?? 0) - (one.latestAt?.getTime() ?? 0),
} as const;
type Order = keyof typeof ORDERS;
const ORDER_NAMES = Object.keys(ORDERS) as Order[];

/** How the list is arranged. */
interface Arranged {
  q: string;
  order: Order;
  byClient: boolean;
}

/** Serves the list of forms: searched, sorted, and grouped by client. */
@WebController('forms')
export class FormListController {
  constructor(
    private readonly lists: FormLists,
    private readonly inbox: InboxService,
    private readonly statistics: StatisticsService,
    private readonly clients: ClientsService,
    private readonly troubles: Troubles,
    private readonly frames: Frames,
  ) {}

  /** List the forms. */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() sent: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const asked: Arranged = {
      q: textOf(sent, 'q').trim(),
      order: ORDER_NAMES.find((name) => name === textOf(sent, 'sort')) ?? 'created',
      byClient: textOf(sent, 'by') === 'client' && mayGroup(principal),
    };
    const { forms, pages } = await this.found(principal, asked.q, idOf(sent, 'after'));
    const isWhole = pages.first === null && pages.next === null;
    const rows = await this.rowsOf(principal, forms, isWhole);
    if (isWhole) rows.sort((one, other) => ORDERS[asked.order](one.row, other.row));
    const groups =
      isWhole && asked.byClient
        ? await this.grouped(principal, rows)
        : [{ client: null, rows: rows.map(({ row }) => row) }];
    const page = FormsPage({
      ...{ groups, pages, q: asked.q },
      chips: isWhole && rows.length > 1 ? chipsOf(asked, mayGroup(principal)) : [],
      frame: await this.frames.of(request, response),
      mayCreate: principal.has('forms:create'),
      mayChange: principal.has('forms:write'),
      mayCount: principal.has('submissions:read') && principal.may('see'),
    });
    sendPage(response, page);
  }

  /** Returns the forms of a page, or those that a name means. */
  private async found(
    principal: Principal,
    q: string,
    after: number,
  ): Promise<{ forms: readonly FormSummary[]; pages: ListPages }> {
    if (q !== '') {
      const forms = await this.lists.named(principal, wordsIn(q), FORMS_ON_PAGE);
      return { forms, pages: { first: null, next: null } };
    }
    const found = await this.lists.after(principal, after, FORMS_ON_PAGE + 1);
    const pages = pagesOf('/forms', found, FORMS_ON_PAGE, after);
    return { forms: found.slice(0, FORMS_ON_PAGE), pages };
  }

  private async rowsOf(principal: Principal, forms: readonly FormSummary[], isWhole: boolean) {
    const [latest, days, troubles] = await Promise.all([
      this.inbox.latest(forms),
      this.statistics.lastDays(principal, forms, DRAWN_DAYS, new Date()),
      isWhole ? this.troubles.of(principal) : this.troubles.lately(principal),
    ]);
    return forms.map(({ id, name, identifier, submissionCount }) => {
      const warnings = troubles.find((trouble) => trouble.identifier === identifier)?.warnings;
      const row: FormRow = {
        ...{ name, identifier, count: submissionCount },
        days: days.get(id) ?? [],
        latestAt: latest.get(id) ?? null,
        warnings: warnings ?? [],
      };
      return { id, row };
    });
  }

  /** Returns rows by the clients that see their forms; those that no client sees come last. */
  private async grouped(
    principal: Principal,
    rows: readonly { id: number; row: FormRow }[],
  ): Promise<FormGroup[]> {
    const clients = await this.clients.listAfter(principal, 0, CLIENTS_MAX, FORMS_ON_PAGE);
    const groups = clients
      .map(({ client, forms }) => {
        const ids = new Set(forms.map(({ id }) => id));
        return { client, ids, rows: rows.filter(({ id }) => ids.has(id)).map(({ row }) => row) };
      })
      .filter((group) => group.rows.length > 0)
      .sort((one, other) => one.client.name.localeCompare(other.client.name));
    const others = rows.filter(({ id }) => !groups.some(({ ids }) => ids.has(id)));
    return [
      ...groups,
      ...(others.length > 0
        ? [{ client: 'none' as const, rows: others.map(({ row }) => row) }]
        : []),
    ];
  }
}

function mayGroup(principal: Principal): boolean {
  return principal.clientId === null && principal.has('clients:read');
}

function chipsOf({ q, order, byClient }: Arranged, withClients: boolean): Chip[] {
  const address = (sort: Order, isGrouped: boolean) => {
    const query = new URLSearchParams({
      ...(q !== '' && { q }),
      ...(sort !== 'created' && { sort }),
      ...(isGrouped && { by: 'client' }),
    }).toString();
    return query === '' ? '/forms' : `/forms?${query}`;
  };
  const { orders, byClient: label } = words.form;
  return [
    ...ORDER_NAMES.map((name) => ({
      label: orders[name],
      href: address(name, byClient),
      isOn: name === order,
    })),
    ...(withClients ? [{ label, href: address(order, !byClient), isOn: byClient }] : []),
  ];
}
