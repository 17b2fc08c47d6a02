import { Controller, Delete, Get } from '@nestjs/common';
import { CurrentPrincipal, RoutesRequire, Principal } from '../../accounts/access/index.js';
import { MessageDto } from '../../platform/http/index.js';
import { SpamLearningDto } from './spam-learning.dto.js';
import { SpamLearning } from './spam-lessons.service.js';

@Controller('api/v1/account/spam-learning')
@RoutesRequire('people:write')
export class SpamLearningController {
  constructor(private readonly learning: SpamLearning) {}

  /** Show the number of marks in spam training; needs the right to change people of the account. */
  @Get()
  async show(@CurrentPrincipal() principal: Principal): Promise<SpamLearningDto> {
    return SpamLearningDto.of(await this.learning.show(principal));
  }

  /** Reset spam training; marks stay as they are. */
  @Delete()
  async reset(@CurrentPrincipal() principal: Principal): Promise<MessageDto> {
    await this.learning.reset(principal);
    return { message: 'Spam training has been reset.' };
  }
}
