import { Get, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { Requires, RoutesRequire, Principal } from '../../accounts/access/index.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { BrandsService, ClientSenders, pathOf } from '../../clients/brands/brands.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ChangeClientMemberDto, withSee, InviteClientMemberDto } from '../../people/member.dto.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { MembersService } from '../../people/members/members.service.js';
import { attempt, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';
import { checked, isTicked, textOf, textsOf, type Typed } from '../parts/index.js';
import { InvitationLinkPage, invitationRow } from '../people/people.page.js';
import { ClientPeoplePage } from './client.page.js';
import { ClientPersonPage, InviteClientPersonPage, ClientHostPage } from './clients.page.js';
import { FileInterceptor } from '@nestjs/platform-express';
import { ClientForms } from '../../clients/brands/client-forms.service.js';
import { ChangeClientBrandDto, ChangeSenderDto, SenderAnswerDto } from '../../clients/brands/brand.dto.js';
import { FormDefaultsDto, SetFormDefaultsDto } from '../../clients/brands/form-defaults.dto.js';
import { SenderTests } from '../../people/members/operator-post.service.js';
import { ReadsUpload } from '../../platform/http/index.js';
import { ClientBrandPage, type ClientBrandPageProps } from './client-look.page.js';
import { ClaimHostDto } from '../../clients/hosts/client-host.dto.js';
import { HostsService } from '../../clients/hosts/hosts.service.js';
import { Config, type FieldProblem } from '../../platform/index.js';

const NOTHING_TYPED = { name: '', email: '', actions: [], send: true };

/** Serves the pages about the people of a client. */
@WebController('clients/:id')
@RoutesRequire('people:write')
export class ClientPeoplePagesController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly clients: ClientsService,
    private readonly brands: BrandsService,
  ) {}

  /** Show who acts for the client, and who is invited. */
  @Get('people')
  @Requires('people:read')
  async list(@Asked() { principal, recordId: id }: PageInput) {
    const { client } = await this.clients.show(principal, id);
    const members = await this.members.list(principal, id);
    const scope = { accountId: principal.accountId, clientId: id };
    const { baseUrl } = await this.brands.of(scope);
    const signInUrl = baseUrl + (await this.brands.signInPath(scope));
    const open = (await this.invitations.list(principal)).filter(({ clientId }) => clientId === id);
    const invitations = open.map((each) => invitationRow(each, new Map([[id, client.name]])));
    const people = { members, invitations, mayInvite: principal.has('people:write'), signInUrl };
    return page(ClientPeoplePage, { client, people });
  }

  /** Ask whom to invite. */
  @Get('new-person')
  async ask(@Asked() { principal, recordId: id }: PageInput) {
    const { client } = await this.clients.show(principal, id);
    return page(InviteClientPersonPage, { client, typed: NOTHING_TYPED, problems: [] });
  }

  /** Invite a person, by mail or by a link that this page shows once. */
  @Post('people')
  @Fresh()
  async invite(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
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
        const here = `/clients/${id}/people`;
        if (link === null) return goTo(here, 'person_invited');
        const up = { href: here, label: client.name };
        return page(InvitationLinkPage, { name: person.name, link, up });
      },
      (problems) => page(InviteClientPersonPage, { client, typed, problems }),
    );
  }

  /** Show a person of the client. */
  @Get('people/:personId')
  async show(@Asked() { principal, recordId: id, personId }: PageInput) {
    const { client } = await this.clients.show(principal, id);
    const member = await this.members.show(principal, personId, id);
    const sessions = await this.members.sessionsOf(principal, personId, id);
    return page(ClientPersonPage, { client, member, sessions });
  }

  /** Change what a person may do, or keep them out. */
  @Post('people/:personId')
  @Fresh()
  async change(@Asked() { principal, typed: sent, recordId: id, personId }: PageInput) {
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
  async endSessions(@Asked() { principal, recordId: id, personId }: PageInput) {
    await this.members.endSessions(principal, personId, id);
    return goTo(`/clients/${id}/people/${personId}`, 'person_signed_out');
  }

  /** Take a person away from the client. */
  @Post('people/:personId/remove')
  @Fresh()
  async remove(@Asked() { principal, recordId: id, personId }: PageInput) {
    await this.members.remove(principal, personId, id);
    return goTo(`/clients/${id}/people`, 'person_removed');
  }
}

/** Limits of an upload: above the limit of a logo, so that a page can name that. */
const UPLOAD = { fileSize: 1024 * 1024, files: 1, fields: 20, fieldSize: 4096, parts: 22 };
/** Defaults that the page has fields for; others that were set by the API stay. */
const DEFAULTS = [
  'redirect_url',
  'notify_owner_emails',
  'bg_color',
  'text_color',
  'link_color',
  'whitelisted_domains',
] as const;

/** Fields of the look. */
const BRAND = ['name', 'colour', 'reply_to'] as const;

/** Serves the page about how a client looks, who sends its mails, and what its new forms begin with. */
@WebController('clients/:id')
@RoutesRequire('clients:write')
export class ClientBrandPagesController {
  constructor(
    private readonly clients: ClientsService,
    private readonly brands: BrandsService,
    private readonly senders: ClientSenders,
    private readonly forms: ClientForms,
    private readonly tests: SenderTests,
    private readonly hosts: HostsService,
    private readonly config: Config,
  ) {}

  /** Show it. */
  @Get('brand')
  async show(@Asked() { principal, recordId: id }: PageInput) {
    return this.page(principal, id);
  }

  /** Change how the client looks, whom its mails come from, and what its new forms begin with. */
  @Post('brand')
  @ReadsUpload()
  @UseInterceptors(FileInterceptor('brand.logo', { limits: UPLOAD }))
  async change(
    @Asked() { principal, typed: sent, recordId: id }: PageInput,
    @UploadedFile() file: { buffer: Buffer } | undefined,
  ) {
    return attempt(
      async () => {
        const brand = await checked(ChangeClientBrandDto, { brand: givenOf(sent, 'brand', BRAND) });
        const sender = await checked(ChangeSenderDto, { sender: senderIn(sent) });
        const form_defaults = {
          ...(await this.defaultsOf(principal, id)),
          ...withoutNulls(givenOf(sent, 'form_defaults', DEFAULTS)),
          notify_submitter: isTicked(sent, 'form_defaults.notify_submitter') ? true : undefined,
        };
        const defaults = await checked(SetFormDefaultsDto, { form_defaults });
        const logo = file && file.buffer.length > 0 ? { logo: file.buffer } : null;
        const removed = isTicked(sent, 'remove_logo') ? { logo: null } : null;
        const changes = { ...ChangeClientBrandDto.changes(brand), ...removed, ...logo };
        await this.brands.storeOfClient(
          ...[principal, id, this.brands.checkLook(changes)],
          await this.senders.check(principal, id, ChangeSenderDto.changes(sender)),
          await this.forms.check(principal, FormDefaultsDto.of(defaults.form_defaults)),
        );
        return goTo(`/clients/${id}/brand`, 'saved');
      },
      (problems) => this.page(principal, id, { problems }, sent),
    );
  }

  /** Send a test, and show what the mail server said. */
  @Post('sender/test')
  async test(@Asked() { principal, recordId: id }: PageInput) {
    const test = await this.tests.send(principal, id, null);
    return this.page(principal, id, { test });
  }

  private async defaultsOf(principal: Principal, id: number) {
    return FormDefaultsDto.shown(await this.forms.show(principal, id));
  }

  private async page(
    principal: Principal,
    id: number,
    { problems = [], test = null }: Partial<Pick<ClientBrandPageProps, 'problems' | 'test'>> = {},
    sent: Typed = {},
  ) {
    const { client } = await this.clients.show(principal, id);
    const { name, colour, replyTo, logoDigest, sender } = await this.brands.showOfClient(principal, id);
    const defaults = await this.defaultsOf(principal, id);
    const shown = SenderAnswerDto.of(sender).sender;
    const stored = {
      ...{ 'brand.name': name, 'brand.colour': colour, 'brand.reply_to': replyTo },
      'sender.from': shown.from,
      ...Object.fromEntries(DEFAULTS.map((each) => [`form_defaults.${each}`, defaults[each]])),
    };
    const typed = Object.fromEntries(
      Object.entries({ ...stored, ...sent }).map(([each, value]) => [
        each,
        // What has a password is not sent back.
        typeof value === 'string' && each !== 'sender.smtp_url' ? value : '',
      ]),
    );
    return page(ClientBrandPage, {
      ...{ client, typed, problems, test, smtpHost: shown.smtp_host },
      logoPath: logoDigest && pathOf(logoDigest),
      isVisitorTold: defaults.notify_submitter === true,
    });
  }

  /** Show the host, and how to prove it. */
  @Get('host')
  async showHost(@Asked() { principal, recordId: id }: PageInput) {
    return this.pageHost(principal, id);
  }

  /** Ask for a host. */
  @Post('host')
  @Fresh()
  async claim(@Asked() { principal, typed: sent, recordId: id }: PageInput) {
    const name = textOf(sent, 'host.name').trim();
    return attempt(
      async () => {
        const { host } = await checked(ClaimHostDto, { host: { name } });
        await this.hosts.claim(principal, id, host.name);
        return goTo(`/clients/${id}/host`, 'saved');
      },
      (problems) => this.pageHost(principal, id, name, problems),
    );
  }

  /** Verify the domain now. */
  @Post('host/verify')
  async verify(@Asked() { principal, recordId: id }: PageInput) {
    return attempt(
      async () => {
        await this.hosts.prove(principal, id);
        return goTo(`/clients/${id}/host`, 'saved');
      },
      (problems) => this.pageHost(principal, id, undefined, problems),
    );
  }

  /** Remove the custom domain of a client. */
  @Post('host/release')
  @Fresh()
  async release(@Asked() { principal, recordId: id }: PageInput) {
    await this.hosts.release(principal, id);
    return goTo(`/clients/${id}/host`, 'saved');
  }

  private async pageHost(principal: Principal, id: number, typed?: string, problems: FieldProblem[] = []) {
    const { client } = await this.clients.show(principal, id);
    const found = await this.hosts.find(principal, id);
    return page(ClientHostPage, {
      client,
      host: found,
      isOn: this.config.http.hosts.length > 0,
      baseUrl: this.config.baseUrl,
      typed: typed ?? '',
      problems,
    });
  }
}

/** Returns what was typed; null for an empty field. */
function given(sent: Typed | undefined, name: string) {
  const text = textOf(sent, name).trim();
  return text === '' ? null : text;
}

/** Returns what was typed into these fields of a group. */
function givenOf(sent: Typed | undefined, group: string, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, given(sent, `${group}.${name}`)]));
}

/** Returns the sender that was typed; a mail server stays where none was typed. */
function senderIn(sent: Typed | undefined) {
  const url = given(sent, 'sender.smtp_url');
  const smtp = url === null && !isTicked(sent, 'remove_smtp') ? {} : { smtp_url: url };
  return { from: given(sent, 'sender.from'), ...smtp };
}

function withoutNulls(typed: Record<string, string | null>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text ?? undefined]));
}
