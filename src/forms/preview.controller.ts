import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { PreviewDto, SetPreviewDto } from './dto/preview.dto.js';
import { FormsService } from './forms.service.js';
import { encodePreview } from './model/preview-fields.js';

@Controller('api/v1/forms/:identifier/preview')
export class PreviewController {
  constructor(private readonly forms: FormsService) {}

  /** Show the preview fields of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<PreviewDto> {
    return PreviewDto.of(await this.forms.get(principal, identifier));
  }

  /** Set the preview fields of a form for rows of the inbox and digests, for everyone with access to the form. */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { fields }: SetPreviewDto,
  ): Promise<PreviewDto> {
    const previewFields = encodePreview(fields);
    return PreviewDto.of(await this.forms.setExtras(principal, identifier, { previewFields }));
  }
}
