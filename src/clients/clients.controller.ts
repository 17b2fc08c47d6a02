import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, OfRecord, RoutesRequire, Principal } from '../accounts/access/index.js';
import { Config } from '../platform/index.js';
import { AlsoReads, MessageDto, PageQueryDto, pageHeaders } from '../platform/http/index.js';
import { clientParameters, urlencodedText, ClientParametersInQuery } from './client-parameters.middleware.js';
import { ClientsService } from './clients.service.js';
import {
  ChangeClientDetailsDto,
  ChangeClientDto,
  ClientDto,
  CreatedClientDto,
  CreateClientDetailsDto,
  CreateClientDto,
} from './dto/client.dto.js';

const PATH = 'api/v1/clients';

@Controller(PATH)
@RoutesRequire('clients:read', 'clients:write')
@AlsoReads(urlencodedText, clientParameters)
export class ClientsController {
  constructor(
    private readonly clients: ClientsService,
    private readonly config: Config,
  ) {}

  /**
   * List the clients of the account with the forms they see, oldest first: all of them, or one page when `page` or
   * `per_page` is given, with the headers `Link` and `X-Total-Count`.
   */
  @Get()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ClientDto[]> {
    const all = (await this.clients.list(principal)).map((found) => ClientDto.of(found));
    const page = PageQueryDto.page(query);
    if (!page) return all;
    response.set(pageHeaders(`${this.config.baseUrl}/${PATH}`, page, all.length));
    const first = (page.page - 1) * page.perPage;
    return all.slice(first, first + page.perPage);
  }

  /** Show a client: a list of exactly one. */
  @Get(':id')
  async show(@OfRecord() { principal, id }: OfRecord): Promise<ClientDto[]> {
    return [ClientDto.of(await this.clients.show(principal, id))];
  }

  /**
   * Create a client. The fields may come in the query string, or, better for names and addresses
   * that do not belong in access logs, as a urlencoded or JSON body.
   */
  @Post()
  @ClientParametersInQuery()
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { client }: CreateClientDto,
  ): Promise<CreatedClientDto> {
    const formIds = client.form_ids ?? [];
    const details = CreateClientDetailsDto.of(client);
    return CreatedClientDto.of(await this.clients.create(principal, details, formIds), formIds);
  }

  /** Change a client; absent fields stay. */
  @Patch(':id')
  @ClientParametersInQuery()
  async change(@OfRecord() { principal, id }: OfRecord, @Body() { client }: ChangeClientDto): Promise<ClientDto> {
    const details = ChangeClientDetailsDto.of(client);
    return ClientDto.of(await this.clients.change(principal, id, details, client.form_ids ?? null));
  }

  /** Delete a client. Its tokens fail on the next request. */
  @Delete(':id')
  async delete(@OfRecord() { principal, id }: OfRecord): Promise<MessageDto> {
    await this.clients.delete(principal, id);
    return { message: 'The client has been deleted.' };
  }
}
