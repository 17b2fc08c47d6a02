import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires, Principal } from '../../accounts/access/index.js';
import { ReadsLong } from '../../platform/http/index.js';
import { MakeMoveDto, MoveDto } from './dto/move.dto.js';
import { MovesService } from './moves.service.js';

@Controller('api/v1/moves')
export class MovesController {
  constructor(private readonly moves: MovesService) {}

  /**
   * Create forms from a page, a formspree.json or a list of IDs, and map the old IDs to them. A page
   * comes back with its new addresses.
   */
  @Post()
  @HttpCode(200)
  @Requires('forms:create')
  @ReadsLong()
  async make(@CurrentPrincipal() principal: Principal, @Body() body: MakeMoveDto): Promise<MoveDto> {
    const text = MakeMoveDto.text(body);
    return MoveDto.of(await this.moves.make(principal, text, body.dry_run));
  }
}
