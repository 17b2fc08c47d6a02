import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { OfRecord, RoutesRequire } from '../accounts/access/index.js';
import { MessageDto, RecordId } from '../platform/http/index.js';
import { CreateTokenDto, IssuedTokenDto, TokenListDto } from '../accounts/tokens/token.dto.js';
import { ClientsService } from './clients.service.js';

/** Issues tokens that let a client act for itself: it sees the forms it is granted and nothing else. */
@Controller('api/v1/clients/:id/tokens')
@RoutesRequire('tokens:write')
export class ClientTokensController {
  constructor(private readonly clients: ClientsService) {}

  /** List the tokens of a client, oldest first, without their secrets. */
  @Get()
  async list(@OfRecord() { principal, id }: OfRecord): Promise<TokenListDto> {
    return TokenListDto.of(await this.clients.listTokens(principal, id));
  }

  /** Issue a token to a client. Its secret is in this answer and never shown again. */
  @Post()
  async create(@OfRecord() { principal, id }: OfRecord, @Body() body: CreateTokenDto): Promise<IssuedTokenDto> {
    const terms = CreateTokenDto.terms(body, id);
    return IssuedTokenDto.issued(await this.clients.issueToken(principal, id, terms));
  }

  /** Revoke a token of a client: it fails on the next request. */
  @Delete(':tokenId')
  async revoke(
    @OfRecord() { principal, id }: OfRecord,
    @Param('tokenId', RecordId) tokenId: number,
  ): Promise<MessageDto> {
    await this.clients.revokeToken(principal, id, tokenId);
    return { message: 'The token has been revoked.' };
  }
}
