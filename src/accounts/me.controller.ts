import { Body, Controller, Get, Patch } from '@nestjs/common';
import { CurrentPrincipal, Requires, Principal } from './access/index.js';
import { TokensService } from './tokens/tokens.service.js';
import { AccountsService } from './accounts.service.js';
import { given } from '../platform/http/index.js';
import { AccountAnswerDto, ChangeAccountDto, MeDto } from './account.dto.js';

@Controller('api/v1')
export class MeController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly tokens: TokensService,
  ) {}

  /** Show the account, client and rights of the token: the account, the token's name, rights and expiry. */
  @Get(['me', 'me.json'])
  async show(@CurrentPrincipal() principal: Principal): Promise<MeDto> {
    const account = await this.accounts.get(principal.accountId);
    return MeDto.of(account, await this.tokens.get(principal, principal.actor.id ?? 0));
  }

  /** Change the name or the default recipient of the account; needs a token of the account with all rights. */
  @Patch('account')
  @Requires('tokens:write')
  async change(@CurrentPrincipal() principal: Principal, @Body() body: ChangeAccountDto): Promise<AccountAnswerDto> {
    const details = given(body.account);
    return AccountAnswerDto.of(await this.accounts.changeAs(principal, details));
  }
}
