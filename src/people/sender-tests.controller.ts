import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { RecordId } from '../platform/http/record-id.pipe.js';
import { SenderTestDto, SendSenderTestDto } from './dto/sender-test.dto.js';
import { SenderTests } from './members/sender-tests.service.js';

/** Tries whom the mails for a client come from. */
@Controller('api/v1/clients/:id/sender/test')
export class SenderTestsController {
  constructor(private readonly tests: SenderTests) {}

  /** Send a test email as emails for this client are sent, and return what the mail server said. */
  @Post()
  @HttpCode(200)
  @Requires('clients:write')
  async send(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() body: SendSenderTestDto,
  ): Promise<SenderTestDto> {
    const { to, ended } = await this.tests.send(principal, id, body.to ?? null);
    return SenderTestDto.of(to, ended);
  }
}
