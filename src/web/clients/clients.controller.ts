import { Get, Param, Post } from '@nestjs/common';
import { Requires, RoutesRequire, CurrentPrincipal } from '../../access/access.decorators.js';
import { Fresh } from '../../auth/browsers.cookie.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ChangeClientMemberDto, withSee } from '../../people/dto/change-member.dto.js';
import { InviteClientMemberDto } from '../../people/dto/member.dto.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { MembersService } from '../../people/members/members.service.js';
import { RecordId } from '../../platform/http/shapes.js';
import { checked, isTicked, textOf, textsOf, type Typed, InvalidForm } from '../parts/typed.js';
import { InvitationLinkPage, invitationRow } from '../people/people.page.js';
import { ClientPersonPage, InviteClientPersonPage, ClientsPage } from './clients.page.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { Principal } from '../../access/principal.js';
import { BrandsService } from '../../brands/brands.service.js';
import type { Client } from '../../clients/client.entity.js';
import { CreateClientDetailsDto, CreateClientDto } from '../../clients/dto/client.dto.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { LinkSignInService } from '../../people/sign-in-methods/link-sign-in.service.js';
import { wordsIn } from '../../platform/kernel/text/name-search.js';
import { DomainError } from '../../platform/kernel/errors.js';
import { idOf, pagesOf } from '../parts/lists.js';
import { ClientPage, INVITE, type ClientPageProps } from './client.page.js';
import { clientWords } from './words.js';

const NOTHING_TYPED = { name: '', email: '', actions: [], send: true };

/** Serves the pages about the people of a client. */
@WebController('clients/:id')
@RoutesRequire('people:write')
export class ClientPeoplePagesController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly clients: ClientsService,
  ) {}

  /** Ask whom to invite. */
  @Get('new-person')
  async ask(@Asked() { principal, recordId: id }: PageInput): Promise<PageAnswer> {
    const { client } = await this.clients.show(principal, id);
    return page(InviteClientPersonPage, { client, typed: NOTHING_TYPED, problems: [] });
  }

  /** Invite a person, by mail or by a link that this page shows once. */
  @Post('people')
  @Fresh()
  async invite(@Asked() { principal, typed: sent, recordId: id }: PageInput): Promise<PageAnswer> {
    const { client } = await this.clients.show(principal, id);
    const typed = {
      name: textOf(sent, 'person.name'),
      email: textOf(sent, 'person.email'),
      actions: textsOf(sent, 'person.actions'),
      send: isTicked(sent, 'person.send'),
    };
    return attempt(
      async () => {
        const { person } = await checked(InviteClientMemberDto, { person: typed });
        const standing = InviteClientMemberDto.standing({ person }, id);
        const { link } = await this.invitations.invite(principal, person, standing, typed.send);
        if (link === null) return goTo(`/clients/${id}`, 'person_invited');
        const up = { href: `/clients/${id}`, label: client.name };
        return page(InvitationLinkPage, { name: person.name, link, up });
      },
      (problems) => page(InviteClientPersonPage, { client, typed, problems }),
    );
  }

  /** Show a person of the client. */
  @Get('people/:personId')
  async show(
    @Asked() { principal, recordId: id }: PageInput,
    @Param('personId', RecordId) personId: number,
  ): Promise<PageAnswer> {
    const { client } = await this.clients.show(principal, id);
    const { person, membership } = await this.members.show(principal, personId, id);
    const sessions = await this.members.sessionsOf(principal, personId, id);
    const { name, email } = person;
    const { actions, disabledAt } = membership;
    const shown = { id: personId, name, email, actions, isDisabled: disabledAt !== null };
    return page(ClientPersonPage, { client, person: shown, sessions });
  }

  /** Change what a person may do, or keep them out. */
  @Post('people/:personId')
  @Fresh()
  async change(
    @Asked() { principal, typed: sent, recordId: id }: PageInput,
    @Param('personId', RecordId) personId: number,
  ): Promise<PageAnswer> {
    const isDisabled = isTicked(sent, 'person.disabled');
    const typed = { actions: textsOf(sent, 'person.actions'), disabled: isDisabled };
    const { person } = await checked(ChangeClientMemberDto, { person: typed });
    const standing = { clientId: id, actions: withSee(person.actions ?? []) };
    await this.members.change(principal, personId, id, { standing, isDisabled });
    return goTo(`/clients/${id}/people/${personId}`, 'saved');
  }

  /** Sign a person out everywhere. */
  @Post('people/:personId/sessions/end')
  @Fresh()
  async endSessions(
    @Asked() { principal, recordId: id }: PageInput,
    @Param('personId', RecordId) personId: number,
  ): Promise<PageAnswer> {
    await this.members.endSessions(principal, personId, id);
    return goTo(`/clients/${id}/people/${personId}`, 'person_signed_out');
  }

  /** Take a person away from the client. */
  @Post('people/:personId/remove')
  @Fresh()
  async remove(
    @Asked() { principal, recordId: id }: PageInput,
    @Param('personId', RecordId) personId: number,
  ): Promise<PageAnswer> {
    await this.members.remove(principal, personId, id);
    return goTo(`/clients/${id}`, 'person_removed');
  }
}

/** Forms of a client that can be taken away on its page, where the account has too many to show them all. */
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
    const message = clientWords.unknownForm(unknown);
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

/** Returns the ids of the forms that are ticked, and of those that are chosen and not shown. */
function formIdsIn(sent: Typed | undefined): number[] {
  const kept = textOf(sent, 'client.kept_form_ids').split(',').filter(Boolean);
  return [...textsOf(sent, 'client.form_ids'), ...kept].map(Number);
}

/** Clients on a page of their list, and forms that are named of each. */
const CLIENTS_ON_PAGE = 100;
const FORMS_NAMED = 10;
const NOTHING = { name: '', email: '', canCreateForms: false, formIds: [], identifiers: '' };

/** Serves the pages about clients. */
@WebController()
@RoutesRequire('clients:write')
export class ClientPagesController {
  constructor(
    private readonly clients: ClientsService,
    private readonly lists: FormQueries,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly links: LinkSignInService,
    private readonly brands: BrandsService,
  ) {}

  /** List the clients. */
  @Get('clients')
  @Requires('clients:read')
  async list(@Asked() { principal, query: sent }: PageInput): Promise<PageAnswer> {
    const [after, q] = [idOf(sent, 'after'), textOf(sent, 'q').trim()];
    const [limit, formsMax] = [CLIENTS_ON_PAGE + 1, FORMS_NAMED + 1];
    const found =
      q === ''
        ? await this.clients.listAfter(principal, after, limit, formsMax)
        : await this.clients.named(principal, wordsIn(q), CLIENTS_ON_PAGE, formsMax);
    const rows = found
      .slice(0, CLIENTS_ON_PAGE)
      .map(({ client, forms }) => ({
        id: client.id,
        name: client.name,
        email: client.email,
        forms: forms.slice(0, FORMS_NAMED).map(({ name }) => name),
        hasMoreForms: forms.length > FORMS_NAMED,
      }));
    const mayChange = principal.has('clients:write');
    const ids = found.map(({ client: { id } }) => ({ id }));
    const pages = pagesOf('/clients', ids, CLIENTS_ON_PAGE, after);
    return page(ClientsPage, { rows, q, pages, mayChange });
  }

  /** Ask for a new client. */
  @Get('new-client')
  async ask(@CurrentPrincipal() principal: Principal): Promise<PageAnswer> {
    const choice = await this.choiceFor(principal, NOTHING.formIds);
    const invite = this.mayInvite(principal) ? true : null;
    const shown = { client: null, typed: NOTHING, ...choice, problems: [], people: null };
    return page(ClientPage, { ...shown, invite });
  }

  /** Add a client. */
  @Post('clients')
  @Fresh()
  async create(@Asked() { principal, typed: sent }: PageInput): Promise<PageAnswer> {
    return attempt(
      async () => {
        const { client } = await checked(
          CreateClientDto,
          await sentClient(this.lists, principal, sent),
        );
        const details = CreateClientDetailsDto.of(client);
        const added = await this.clients.create(principal, details, client.form_ids ?? []);
        if (isTicked(sent, INVITE)) return this.inviteTo(principal, added);
        return goTo(`/clients/${added.id}`, 'client_created');
      },
      (problems) => this.showAgain(principal, { client: null, sent, problems }),
    );
  }

  /** Invites the person a client is named after to look after it; the client stays where that fails. */
  private async inviteTo(principal: Principal, client: Client): Promise<PageAnswer> {
    const { id, name, email } = client;
    const standing = { clientId: id, actions: withSee([]) };
    const flash = await this.invitations.invite(principal, { name, email }, standing, true).then(
      () => 'client_invited' as const,
      (error: unknown) => {
        if (error instanceof DomainError) return 'client_not_invited' as const;
        throw error;
      },
    );
    return goTo(`/clients/${id}`, flash);
  }

  /** Show a client. */
  @Get('clients/:id')
  async show(@Asked() { principal, recordId: id }: PageInput): Promise<PageAnswer> {
    const { client, forms: seen } = await this.clients.show(principal, id);
    const { name, email, canCreateForms } = client;
    const formIds = seen.map((form) => form.id);
    const typed = { name, email, canCreateForms, formIds, identifiers: '' };
    const choice = await this.choiceFor(principal, formIds);
    const people = await this.peopleOf(principal, client);
    return page(ClientPage, { client, typed, ...choice, problems: [], people, invite: null });
  }

  /** Change a client. */
  @Post('clients/:id')
  async change(@Asked() { principal, typed: sent, recordId: id }: PageInput): Promise<PageAnswer> {
    const { client } = await this.clients.show(principal, id);
    return attempt(
      async () => {
        const asked = await sentClient(this.lists, principal, sent);
        const { client: changed } = await checked(CreateClientDto, asked);
        const details = CreateClientDetailsDto.of(changed);
        await this.clients.change(principal, id, details, changed.form_ids ?? []);
        return goTo(`/clients/${id}`, 'saved');
      },
      (problems) => this.showAgain(principal, { client, sent, problems }),
    );
  }

  /** Delete a client. */
  @Post('clients/:id/delete')
  async delete(@Asked() { principal, recordId: id }: PageInput): Promise<PageAnswer> {
    await this.clients.delete(principal, id);
    return goTo('/clients', 'client_deleted');
  }

  private async showAgain(
    principal: Principal,
    shown: Pick<ClientPageProps, 'client' | 'problems'> & { sent: Typed | undefined },
  ): Promise<PageAnswer> {
    const { client, sent, problems } = shown;
    const typed = {
      name: textOf(sent, 'client.name'),
      email: textOf(sent, 'client.email'),
      canCreateForms: isTicked(sent, 'client.can_create_forms'),
      formIds: formIdsIn(sent),
      identifiers: textOf(sent, IDENTIFIERS),
    };
    const choice = await this.choiceFor(principal, typed.formIds);
    const people = client && (await this.peopleOf(principal, client));
    const invite = client || !this.mayInvite(principal) ? null : isTicked(sent, INVITE);
    return page(ClientPage, { client, typed, ...choice, problems, people, invite });
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

  private async peopleOf(
    principal: Principal,
    { id, name }: Pick<Client, 'id' | 'name'>,
  ): Promise<ClientPageProps['people']> {
    if (!principal.has('people:read')) return null;
    const members = await this.members.list(principal, id);
    const rows = members.map(({ person, membership }) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      actions: membership.actions,
      isDisabled: membership.disabledAt !== null,
    }));
    const scope = { accountId: principal.accountId, clientId: id };
    const { baseUrl } = await this.brands.of(scope);
    const signInUrl = baseUrl + (await this.brands.signInPath(scope));
    const open = (await this.invitations.list(principal)).filter(({ clientId }) => clientId === id);
    const invitations = open.map((each) => invitationRow(each, new Map([[id, name]])));
    return { rows, invitations, mayInvite: principal.has('people:write'), signInUrl };
  }

  /** Tells whether the person of a new client can be invited with it, by mail. */
  private mayInvite(principal: Principal): boolean {
    return principal.has('people:write') && this.links.isOffered;
  }
}
