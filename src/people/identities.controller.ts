import { Controller, Delete, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { RecordId } from '../platform/http/record-id.pipe.js';
import { Uuid, UuidInPath } from '../platform/http/uuid.pipe.js';
import { IdentityListDto } from './dto/identity.dto.js';
import { IdentitiesService } from './credentials/identities.service.js';

/** Lists and unlinks what members of the account are known by at an OpenID Connect provider. */
@Controller('api/v1/people/:id/identities')
export class IdentitiesController {
  constructor(private readonly identities: IdentitiesService) {}

  /** List the linked identities of a member, oldest first. */
  @Get()
  @Requires('people:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
  ): Promise<IdentityListDto> {
    return IdentityListDto.of(await this.identities.list(principal, id));
  }

  /** Unlink an identity from a member. Their sessions go on; a verified address links it again. */
  @Delete(':identity')
  @Requires('people:write')
  @UuidInPath('identity')
  async unlink(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('identity', Uuid) identity: Buffer | null,
  ): Promise<MessageDto> {
    await this.identities.removeFor(principal, id, identity);
    return { message: 'The identity has been unlinked.' };
  }
}
