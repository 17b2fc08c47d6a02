import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { CurrentPrincipal, OfRecord, RoutesRequire, Principal } from '../access/index.js';
import { MessageDto } from '../../platform/http/index.js';
import { CreateTokenDto, IssuedTokenDto, TokenListDto } from './token.dto.js';
import { TokensService } from './tokens.service.js';

@Controller('api/v1/tokens')
@RoutesRequire('tokens:write')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  /** List the tokens of the account and of its clients, oldest first, without their secrets. */
  @Get()
  async list(@CurrentPrincipal() principal: Principal): Promise<TokenListDto> {
    return TokenListDto.of(await this.tokens.list(principal));
  }

  /** Issue a token. Its secret is in this answer and never shown again. */
  @Post()
  async create(@CurrentPrincipal() principal: Principal, @Body() body: CreateTokenDto): Promise<IssuedTokenDto> {
    const terms = CreateTokenDto.terms(body, principal.clientId);
    return IssuedTokenDto.issued(await this.tokens.issueAs(principal, terms));
  }

  /** Revoke a token: it fails on the next request. */
  @Delete(':id')
  async revoke(@OfRecord() { principal, id }: OfRecord): Promise<MessageDto> {
    await this.tokens.revoke(principal.actor, principal, id);
    return { message: 'The token has been revoked.' };
  }
}
