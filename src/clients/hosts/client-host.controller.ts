import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { OfRecord, RoutesRequire } from '../../accounts/access/index.js';
import { MessageDto } from '../../platform/http/index.js';
import { ClaimHostDto, ShownHostDto } from './client-host.dto.js';
import { HostsService } from './hosts.service.js';

@Controller('api/v1/clients/:id/host')
@RoutesRequire('clients:read', 'clients:write')
export class ClientHostController {
  constructor(private readonly hosts: HostsService) {}

  /** Show the custom domain of a client, and how to verify it. */
  @Get()
  async show(@OfRecord() { principal, id }: OfRecord): Promise<ShownHostDto> {
    return ShownHostDto.of(await this.hosts.show(principal, id));
  }

  /** Request a custom domain for a client: its pages, forms and links are there once it is proven. */
  @Put()
  async claim(@OfRecord() { principal, id }: OfRecord, @Body() { host }: ClaimHostDto): Promise<ShownHostDto> {
    return ShownHostDto.of(await this.hosts.claim(principal, id, host.name));
  }

  /** Verify a domain now. */
  @Post('verify')
  async verify(@OfRecord() { principal, id }: OfRecord): Promise<ShownHostDto> {
    return ShownHostDto.of(await this.hosts.prove(principal, id));
  }

  /** Remove the custom domain of a client. */
  @Delete()
  async release(@OfRecord() { principal, id }: OfRecord): Promise<MessageDto> {
    await this.hosts.release(principal, id);
    return { message: 'The host has been given up.' };
  }
}
