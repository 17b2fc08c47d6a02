import { ClientsPage, FORMS_NAMED } from './clients.page.js';
import { Get, Post } from '@nestjs/common';
import { Requires, RoutesRequire, Principal } from '../../accounts/access/index.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { withSee } from '../../people/member.dto.js';
import { ClientsService } from '../../clients/clients.service.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { checked, isTicked, textOf, textsOf, type Typed, InvalidForm, idOf, pagesOf } from '../parts/index.js';
import { attempt, goTo, page, refused, Asked, type PageInput, WebController } from '../kit/index.js';
import type { Client } from '../../clients/client.entity.js';
import { CreateClientDetailsDto, CreateClientDto } from '../../clients/dto/client.dto.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { LinkSignInService } from '../../people/sign-in-methods/link-sign-in.service.js';
import { wordsIn, DomainError, type FieldProblem, Clock } from '../../platform/index.js';
import { ClientForms } from '../../clients/brands/client-forms.service.js';
import { CreateFormDto, CreateFormSettingsDto } from '../../forms/dto/form.dto.js';
import { addMonths, lastMonth } from '../../reports/week.js';
import { ReportsService } from '../../reports/reports.service.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { ClientFormsPage, ClientPage, INVITE, NewClientPage } from './client.page.js';

/** Identifiers that are read at once. */
const FORMS_LISTED = 200;
const IDENTIFIERS = 'client.form_identifiers';

/**
 * Returns what a page sent as the API takes it; a box that is not ticked is not sent and means no.
 * @throws InvalidForm for identifiers that are of no form of the account
 */
async function sentClient(lists: FormQueries, principal: Principal, sent: Typed | undefined) {
  const identifiers = textOf(sent, IDENTIFIERS)
    .split(/[\s,]+/)
    .filter(Boolean);
  const further = await lists.identified(principal, identifiers.slice(0, FORMS_LISTED));
  const unknown = identifiers.find((text) => !further.some((form) => form.identifier === text));
  if (unknown !== undefined) {
    const message = `You have no form with the identifier ${unknown}.`;
    throw new InvalidForm([{ field: IDENTIFIERS, code: 'unknown_form', message }]);
  }
  const formIds = new Set([...formIdsIn(sent), ...further.map(({ id }) => id)]);
  return {
    client: {
      name: textOf(sent, 'client.name'),
      email: textOf(sent, 'client.email'),
      can_create_forms: isTicked(sent, 'client.can_create_forms'),
      form_ids: [...formIds],
    },
  };
}

/** Returns the ids of the forms that are ticked. */
function formIdsIn(sent: Typed | undefined) {
  return textsOf(sent, 'client.form_ids').map(Number);
}

/** Clients on a page of their list. */
const CLIENTS_ON_PAGE = 100;
const NOTHING = typedIn(undefined);

/** Serves the pages about clients. */
@WebController()
@RoutesRequire('clients:write')
export class ClientPagesController {
  constructor(
    private readonly clients: ClientsService,
    private readonly lists: FormQueries,
    private readonly invitations: InvitationsService,
    private readonly links: LinkSignInService,
    private readonly made: ClientForms,
    private readonly reports: ReportsService,
    private readonly inbox: InboxService,
    private readonly clock: Clock,
  ) {}

  /** List the clients. */
  @Get('clients')
  @Requires('clients:read')
  async list(@Asked() { principal, query: sent }: PageInput) {
    const [after, q] = [idOf(sent, 'after'), textOf(sent, 'q').trim()];
    const [limit, formsMax] = [CLIENTS_ON_PAGE + 1, FORMS_NAMED + 1];
    const found =
      q === ''
        ? await this.clients.listAfter(principal, after, limit, formsMax)
        : await this.clients.named(principal, wordsIn(q), CLIENTS_ON_PAGE, formsMax);
    const rows = found.slice(0, CLIENTS_ON_PAGE);
    const mayChange = principal.has('clients:write');
    const ids = found.map(({ client: { id } }) => ({ id }));
    const pages = pagesOf('/clients', ids, CLIENTS_ON_PAGE, after);
    return page(ClientsPage, { rows, q, pages, mayChange });
  }

  /** Ask for a new client. */
  @Get('new-client')
  async ask(@Asked() { principal }: PageInput) {
    const invite = this.mayInvite(principal) ? true : null;
    const choice = await this.lists.few(principal);
    return page(NewClientPage, { typed: NOTHING, choice, problems: [], invite });
  }

  /** Add a client. */
  @Post('clients')
  @Fresh()
  async create(@Asked() { principal, typed: sent }: PageInput) {
    return attempt(
      async () => {
        const { client } = await checked(CreateClientDto, await sentClient(this.lists, principal, sent));
        const details = CreateClientDetailsDto.of(client);
        const added = await this.clients.create(principal, details, client.form_ids ?? []);
        if (isTicked(sent, INVITE)) return this.inviteTo(principal, added);
        return goTo(`/clients/${added.id}`, 'client_created');
      },
      async (problems) => {
        const invite = this.mayInvite(principal) ? isTicked(sent, INVITE) : null;
        const choice = await this.lists.few(principal);
        return page(NewClientPage, { typed: typedIn(sent), choice, problems, invite });
      },
    );
  }

  /** Invites the person a client is named after to look after it; the client stays where that fails. */
  private async inviteTo(principal: Principal, client: Client) {
    const { id, name, email } = client;
    const standing = { clientId: id, actions: withSee([]) };
    const flash = await this.invitations.invite(principal, { name, email }, standing, true).then(
      () => 'client_invited' as const,
      (error: unknown) => {
        if (error instanceof DomainError) return 'client_not_invited' as const;
        throw error;
      },
    );
    return goTo(`/clients/${id}/people`, flash);
  }

  /** Show a client: what its forms received this month, and what is known of it. */
  @Get('clients/:id')
  async show(@Asked() { principal, recordId: id }: PageInput) {
    const { client } = await this.clients.show(principal, id);
    return this.overview(principal, client, client, []);
  }

  /** Change what is known of a client. */
  @Post('clients/:id')
  async change(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
    const { client, forms } = await this.clients.show(principal, id);
    return attempt(
      async () => {
        const asked = await sentClient(this.lists, principal, sent);
        const { client: changed } = await checked(CreateClientDto, asked);
        const details = CreateClientDetailsDto.of(changed);
        await this.clients.change(principal, id, details, idsOf(forms));
        return goTo(`/clients/${id}`, 'saved');
      },
      (problems) => this.overview(principal, client, typedIn(sent), problems),
    );
  }

  private async overview(
    principal: Principal,
    client: Client,
    { name, email, canCreateForms }: Pick<Client, 'name' | 'email' | 'canCreateForms'>,
    problems: FieldProblem[],
  ) {
    const month = addMonths(lastMonth(this.clock.now()), 1);
    const report = await this.reports.ofClient(principal, client.id, month);
    const latest = await this.inbox.latest(report.forms.map(({ form }) => form));
    const typed = { name, email, canCreateForms };
    return page(ClientPage, { client, typed, problems, report, latest });
  }

  /** Show the forms that a client sees. */
  @Get('clients/:id/forms')
  async showForms(@Asked() { principal, recordId: id }: PageInput) {
    return this.formsPage(principal, id, NOTHING, []);
  }

  /** Let a client see more forms. */
  @Post('clients/:id/forms/add')
  async addForms(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
    const { client, forms } = await this.clients.show(principal, id);
    return attempt(
      async () => {
        const { form_ids: added } = (await sentClient(this.lists, principal, sent)).client;
        const ids = [...new Set([...idsOf(forms), ...added])];
        await this.clients.change(principal, id, client, ids);
        return goTo(`/clients/${id}/forms`, 'saved');
      },
      (problems) => this.formsPage(principal, id, typedIn(sent), problems),
    );
  }

  /** Let a client see a form no more. */
  @Post('clients/:id/forms/remove')
  async removeForm(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
    const { client, forms } = await this.clients.show(principal, id);
    const gone = formIdsIn(sent);
    const ids = idsOf(forms).filter((each) => !gone.includes(each));
    await this.clients.change(principal, id, client, ids);
    return goTo(`/clients/${id}/forms`, 'saved');
  }

  /** Create a form that the client sees. */
  @Post('clients/:id/forms')
  async createForm(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
    const name = textOf(sent, 'form.name');
    return attempt(
      async () => {
        const { form } = await checked(CreateFormDto, { form: { name } });
        const made = await this.made.create(principal, id, CreateFormSettingsDto.of(form));
        return goTo(`/forms/${made.identifier}`, 'form_created');
      },
      (problems) => this.formsPage(principal, id, NOTHING, [], { name, problems }),
    );
  }

  private async formsPage(
    principal: Principal,
    id: number,
    typed: ReturnType<typeof typedIn>,
    problems: FieldProblem[],
    newForm: { name: string; problems: FieldProblem[] } = { name: '', problems: [] },
  ) {
    const { client, forms: seen } = await this.clients.show(principal, id);
    const few = await this.lists.few(principal);
    const known = new Set(idsOf(seen));
    const choice = few?.filter((form) => !known.has(form.id)) ?? null;
    const mayCreate = principal.canCreateForms;
    const answer = page(ClientFormsPage, { client, seen, typed, choice, problems, mayCreate, newForm });
    return newForm.problems.length > 0 ? refused(answer) : answer;
  }

  /** Delete a client. */
  @Post('clients/:id/delete')
  async delete(@Asked() { principal, recordId: id }: PageInput) {
    await this.clients.delete(principal, id);
    return goTo('/clients', 'client_deleted');
  }

  /** Tells whether the person of a new client can be invited with it, by mail. */
  private mayInvite(principal: Principal) {
    return principal.has('people:write') && this.links.isOffered;
  }
}

/** Returns what was typed about a client. */
function typedIn(sent: Typed | undefined) {
  return {
    name: textOf(sent, 'client.name'),
    email: textOf(sent, 'client.email'),
    canCreateForms: isTicked(sent, 'client.can_create_forms'),
    formIds: formIdsIn(sent),
    identifiers: textOf(sent, IDENTIFIERS),
  };
}

function idsOf(forms: readonly { id: number }[]) {
  return forms.map(({ id }) => id);
}
