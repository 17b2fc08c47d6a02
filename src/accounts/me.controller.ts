import { Controller, Get } from '@nestjs/common';
import { CurrentPrincipal } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { TokensService } from '../tokens/tokens.service.js';
import { AccountsService } from './accounts.service.js';
import { MeDto } from './dto/me.dto.js';

@Controller('api/v1')
export class MeController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly tokens: TokensService,
  ) {}

  /** Show whom the token stands for: the account, the token's name, rights and expiry. */
  @Get(['me', 'me.json'])
  async show(@CurrentPrincipal() principal: Principal): Promise<MeDto> {
    const account = await this.accounts.get(principal.accountId);
    return MeDto.of(account, await this.tokens.get(principal, principal.tokenId));
  }
}
