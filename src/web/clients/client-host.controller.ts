import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ClaimHostDto } from '../../hosts/dto/client-host.dto.js';
import { HostsService } from '../../hosts/hosts.service.js';
import { Config } from '../../platform/config/config.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { ClientHostPage } from './client-host.page.js';

/** Serves the page about the host of a client's own. */
@WebController('clients/:id/host')
export class ClientHostPagesController {
  constructor(
    private readonly hosts: HostsService,
    private readonly clients: ClientsService,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Show the host, and how to prove it. */
  @Get()
  @Requires('clients:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, id, { request, response });
  }

  /** Ask for a host. */
  @Post()
  @Requires('clients:write')
  @Fresh()
  async claim(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const name = textOf(sent, 'host.name').trim();
    try {
      const { host } = await checked(ClaimHostDto, { host: { name } });
      await this.hosts.claim(principal, id, host.name);
      redirect(response, `/clients/${id}/host`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      await this.send(principal, id, { request, response }, name, problems);
    }
  }

  /** Look for the proof now. */
  @Post('verify')
  @Requires('clients:write')
  async verify(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      await this.hosts.prove(principal, id);
      redirect(response, `/clients/${id}/host`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      await this.send(principal, id, { request, response }, undefined, problems);
    }
  }

  /** Give the host up. */
  @Post('release')
  @Requires('clients:write')
  @Fresh()
  async release(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Res() response: Response,
  ): Promise<void> {
    await this.hosts.release(principal, id);
    redirect(response, `/clients/${id}/host`, 'saved');
  }

  private async send(
    principal: Principal,
    id: number,
    { request, response }: { request: Request; response: Response },
    typed?: string,
    problems: FieldProblem[] = [],
  ): Promise<void> {
    const { client } = await this.clients.show(principal, id);
    const found = await this.hosts.find(principal, id);
    const page = ClientHostPage({
      frame: await this.frames.of(request, response),
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
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : 200);
  }
}
