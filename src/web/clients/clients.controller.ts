import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { BrandsService } from '../../accounts/brands.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import { CreateClientDetailsDto, CreateClientDto } from '../../clients/dto/create-client.dto.js';
import { FormLists } from '../../forms/form-lists.service.js';
import { MembersService } from '../../people/members.service.js';
import { Config } from '../../platform/config/config.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import {
  checked,
  InvalidForm,
  problemsOf,
  isTicked,
  textOf,
  textsOf,
  type Typed,
} from '../layout/typed.js';
import { idOf, pagesOf } from '../layout/pages.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { words } from '../words.js';
import { ClientPage, ClientsPage, type ClientPageProps } from './clients.page.js';

/** Clients on a page of their list, and forms that are named of each. */
const CLIENTS_ON_PAGE = 100;
const FORMS_NAMED = 10;
/** Forms of a client that can be taken away on its page, where the account has too many to show them all. */
const FORMS_LISTED = 200;
const IDENTIFIERS = 'client.form_identifiers';
const NOTHING_TYPED = {
  ...{ name: '', email: '', canCreateForms: false, formIds: [], identifiers: '' },
};

/** Serves the pages about clients. */
@WebController()
export class ClientPagesController {
  constructor(
    private readonly clients: ClientsService,
    private readonly lists: FormLists,
    private readonly members: MembersService,
    private readonly brands: BrandsService,
    private readonly config: Config,
    private readonly frames: Frames,
  ) {}

  /** List the clients. */
  @Get('clients')
  @Requires('clients:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() sent: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const after = idOf(sent, 'after');
    const found = await this.clients.listAfter(
      principal,
      after,
      CLIENTS_ON_PAGE + 1,
      FORMS_NAMED + 1,
    );
    const rows = found.slice(0, CLIENTS_ON_PAGE).map(({ client, forms }) => ({
      id: client.id,
      name: client.name,
      email: client.email,
      forms: forms.slice(0, FORMS_NAMED).map(({ name }) => name),
      hasMoreForms: forms.length > FORMS_NAMED,
    }));
    const frame = await this.frames.of(request, response);
    const mayChange = principal.has('clients:write');
    const clients = found.map(({ client }) => client);
    const pages = pagesOf('/clients', clients, CLIENTS_ON_PAGE, after);
    sendPage(response, ClientsPage({ frame, rows, pages, mayChange }));
  }

  /** Ask for a new client. */
  @Get('new-client')
  @Requires('clients:write')
  async ask(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const typed = NOTHING_TYPED;
    const choice = await this.choiceFor(principal, typed.formIds);
    const frame = await this.frames.of(request, response);
    const page = ClientPage({ frame, client: null, typed, ...choice, problems: [], people: null });
    sendPage(response, page);
  }

  /** Add a client. */
  @Post('clients')
  @Requires('clients:write')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      const { client } = await checked(CreateClientDto, await this.sentClient(principal, sent));
      const details = CreateClientDetailsDto.of(client);
      await this.clients.create(principal, details, client.form_ids ?? []);
      redirect(response, '/clients', 'client_created');
    } catch (error) {
      const problems = problemsOf(error);
      await this.showAgain(request, response, principal, { client: null, sent, problems });
    }
  }

  /** Show a client. */
  @Get('clients/:id')
  @Requires('clients:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { client, forms: seen } = await this.clients.show(principal, id);
    const { name, email, canCreateForms } = client;
    const formIds = seen.map((form) => form.id);
    const typed = { name, email, canCreateForms, formIds, identifiers: '' };
    const choice = await this.choiceFor(principal, formIds);
    const frame = await this.frames.of(request, response);
    const people = await this.peopleOf(principal, id);
    sendPage(response, ClientPage({ frame, client, typed, ...choice, problems: [], people }));
  }

  /** Change a client. */
  @Post('clients/:id')
  @Requires('clients:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { client } = await this.clients.show(principal, id);
    try {
      const asked = await this.sentClient(principal, sent);
      const { client: changed } = await checked(CreateClientDto, asked);
      const details = CreateClientDetailsDto.of(changed);
      await this.clients.change(principal, id, details, changed.form_ids ?? []);
      redirect(response, `/clients/${id}`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      await this.showAgain(request, response, principal, { client, sent, problems });
    }
  }

  /** Delete a client. */
  @Post('clients/:id/delete')
  @Requires('clients:write')
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Res() response: Response,
  ): Promise<void> {
    await this.clients.delete(principal, id);
    redirect(response, '/clients', 'client_deleted');
  }

  private async showAgain(
    request: Request,
    response: Response,
    principal: Principal,
    {
      client,
      sent,
      problems,
    }: Pick<ClientPageProps, 'client' | 'problems'> & { sent: Typed | undefined },
  ): Promise<void> {
    const typed = {
      name: textOf(sent, 'client.name'),
      email: textOf(sent, 'client.email'),
      canCreateForms: isTicked(sent, 'client.can_create_forms'),
      formIds: formIdsIn(sent),
      identifiers: textOf(sent, IDENTIFIERS),
    };
    const choice = await this.choiceFor(principal, typed.formIds);
    const frame = await this.frames.of(request, response);
    const people = client && (await this.peopleOf(principal, client.id));
    const page = ClientPage({ frame, client, typed, ...choice, problems, people });
    sendPage(response, page, UNPROCESSABLE);
  }

  /** Returns the forms to choose from: all, or where they are too many, those that are chosen. */
  private async choiceFor(
    principal: Principal,
    chosen: readonly number[],
  ): Promise<Pick<ClientPageProps, 'forms' | 'kept'>> {
    const few = await this.lists.few(principal);
    if (few) return { forms: few, kept: null };
    const forms = await this.lists.among(principal, chosen.slice(0, FORMS_LISTED));
    return { forms, kept: chosen.slice(FORMS_LISTED) };
  }

  /**
   * Returns what a page sent as the API takes it; a box that is not ticked is not sent and means no.
   * @throws InvalidForm for identifiers that are of no form of the account
   */
  private async sentClient(principal: Principal, sent: Typed | undefined) {
    const identifiers = textOf(sent, IDENTIFIERS)
      .split(/[\s,]+/)
      .filter(Boolean);
    const further = await this.lists.identified(principal, identifiers.slice(0, FORMS_LISTED));
    const unknown = identifiers.find((text) => !further.some((form) => form.identifier === text));
    if (unknown !== undefined) {
      const message = words.client.unknownForm(unknown);
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

  private async peopleOf(principal: Principal, id: number): Promise<ClientPageProps['people']> {
    if (!principal.has('people:read')) return null;
    const members = await this.members.list(principal, id);
    const rows = members.map(({ person, membership }) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      actions: membership.actions,
      isDisabled: membership.disabledAt !== null,
    }));
    const signInUrl = this.config.baseUrl + (await this.brands.signInPath(principal.accountId));
    return { rows, mayInvite: principal.has('people:write'), signInUrl };
  }
}

/** Returns the ids of the forms that are ticked, and of those that are chosen and not shown. */
function formIdsIn(sent: Typed | undefined): number[] {
  const kept = textOf(sent, 'client.kept_form_ids').split(',').filter(Boolean);
  return [...textsOf(sent, 'client.form_ids'), ...kept].map(Number);
}
