import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { RecordId } from '../platform/http/record-id.pipe.js';
import { ClientSenders } from './client-senders.service.js';
import { ChangeSenderDto, SenderAnswerDto } from './dto/client-sender.dto.js';

/** Shows and changes whom the mails for a client come from. */
@Controller('api/v1/clients/:id/sender')
export class ClientSenderController {
  constructor(private readonly senders: ClientSenders) {}

  /** Show the sender of a client, without the address of its mail server. */
  @Get()
  @Requires('clients:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
  ): Promise<SenderAnswerDto> {
    return SenderAnswerDto.of(await this.senders.show(principal, id));
  }

  /**
   * Change the sender of a client. Without a mail server of its own, its address is used where MAIL_FROM_DOMAINS lists the domain,
   * and is the Reply-To address otherwise.
   */
  @Put()
  @Requires('clients:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() body: ChangeSenderDto,
  ): Promise<SenderAnswerDto> {
    const changes = ChangeSenderDto.changes(body);
    return SenderAnswerDto.of(await this.senders.change(principal, id, changes));
  }
}
