import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Uuid, UuidInPath } from '../../platform/http/uuid.pipe.js';
import { ReplaceTagsDto, TagsDto } from './dto/tags.dto.js';
import { TagsService } from './tags.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/tags')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  /** List the tags of a submission. */
  @Get()
  @UuidInPath('id')
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<TagsDto> {
    return { tags: await this.tags.show(principal, identifier, id) };
  }

  /** Replace the tags of a submission. */
  @Put()
  @UuidInPath('id')
  @Requires('submissions:write')
  async replace(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() { tags }: ReplaceTagsDto,
  ): Promise<TagsDto> {
    return { tags: await this.tags.replace(principal, identifier, id, tags) };
  }
}
