import { Get, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ClaimHostDto } from '../../hosts/dto/client-host.dto.js';
import { HostsService } from '../../hosts/hosts.service.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { checked, textOf } from '../parts/typed.js';
import { ClientHostPage } from './client-host.page.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the page about the host of a client's own. */
@WebController('clients/:id/host')
export class ClientHostPagesController {
  constructor(
    private readonly hosts: HostsService,
    private readonly clients: ClientsService,
    private readonly config: Config,
  ) {}

  /** Show the host, and how to prove it. */
  @Get()
  @Requires('clients:write')
  async show(@Asked() { principal, recordId: id }: PageInput): Promise<PageAnswer> {
    return this.page(principal, id);
  }

  /** Ask for a host. */
  @Post()
  @Requires('clients:write')
  @Fresh()
  async claim(@Asked() { principal, typed: sent, recordId: id }: PageInput): Promise<PageAnswer> {
    const name = textOf(sent, 'host.name').trim();
    return attempt(
      async () => {
        const { host } = await checked(ClaimHostDto, { host: { name } });
        await this.hosts.claim(principal, id, host.name);
        return goTo(`/clients/${id}/host`, 'saved');
      },
      (problems) => this.page(principal, id, name, problems),
    );
  }

  /** Look for the proof now. */
  @Post('verify')
  @Requires('clients:write')
  async verify(@Asked() { principal, recordId: id }: PageInput): Promise<PageAnswer> {
    return attempt(
      async () => {
        await this.hosts.prove(principal, id);
        return goTo(`/clients/${id}/host`, 'saved');
      },
      (problems) => this.page(principal, id, undefined, problems),
    );
  }

  /** Give the host up. */
  @Post('release')
  @Requires('clients:write')
  @Fresh()
  async release(@Asked() { principal, recordId: id }: PageInput): Promise<PageAnswer> {
    await this.hosts.release(principal, id);
    return goTo(`/clients/${id}/host`, 'saved');
  }

  private async page(
    principal: Principal,
    id: number,
    typed?: string,
    problems: FieldProblem[] = [],
  ): Promise<PageAnswer> {
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
