import { Get, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { RoutesRequire } from '../../accounts/access/access.decorators.js';
import { Principal } from '../../accounts/access/principal.js';
import { BrandsService, ClientSenders, pathOf } from '../../clients/brands/brands.service.js';
import { ClientForms } from '../../clients/brands/client-forms.service.js';
import {
  ChangeClientBrandDto,
  ChangeSenderDto,
  SenderAnswerDto,
} from '../../clients/brands/brand.dto.js';
import { FormDefaultsDto, SetFormDefaultsDto } from '../../clients/brands/form-defaults.dto.js';
import { ClientsService } from '../../clients/clients.service.js';
import { SenderTests } from '../../people/members/operator-post.service.js';
import { ReadsUpload } from '../../platform/http/bodies/body.guard.js';
import { checked, isTicked, textOf, type Typed } from '../parts/typed.js';
import { ClientBrandPage, type ClientBrandPageProps } from './client-look.page.js';
import { attempt, goTo, page } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { ClaimHostDto } from '../../clients/hosts/client-host.dto.js';
import { HostsService } from '../../clients/hosts/hosts.service.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ClientHostPage } from './clients.page.js';

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

  private async defaultsOf(principal: Principal, id: number): Promise<Record<string, unknown>> {
    return FormDefaultsDto.shown(await this.forms.show(principal, id));
  }

  private async page(
    principal: Principal,
    id: number,
    { problems = [], test = null }: Partial<Pick<ClientBrandPageProps, 'problems' | 'test'>> = {},
    sent: Typed = {},
  ) {
    const { client } = await this.clients.show(principal, id);
    const { name, colour, replyTo, logoDigest, sender } = await this.brands.showOfClient(
      principal,
      id,
    );
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

  private async pageHost(
    principal: Principal,
    id: number,
    typed?: string,
    problems: FieldProblem[] = [],
  ) {
    const { client } = await this.clients.show(principal, id);
    const found = await this.hosts.find(principal, id);
    return page(ClientHostPage, {
      client,
      host: found && {
        name: found.host,
        isProven: found.isProven,
        record: found.record,
        fileUrls: found.fileUrls,
      },
      isOn: this.config.http.hosts.length > 0,
      baseUrl: this.config.baseUrl,
      typed: typed ?? '',
      problems,
    });
  }
}

/** Returns what was typed; null for an empty field. */
function given(sent: Typed | undefined, name: string): string | null {
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
