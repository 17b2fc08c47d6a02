import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Requires, RoutesRequire, InForm } from '../../accounts/access/index.js';
import { ErasedDto, ValueExistsDto, ValueQueryDto } from './values.dto.js';
import { ValuesService } from './values.service.js';

@Controller('api/v1/forms/:identifier')
@RoutesRequire('submissions:read', 'submissions:write')
export class ValuesController {
  constructor(private readonly values: ValuesService) {}

  /** Erase a person: remove every submission with this value in this field, spam and trash too. */
  @Delete('submissions')
  @ApiOperation({ operationId: 'Submissions_erase' })
  async erase(
    @InForm() { principal, identifier }: InForm,
    @Query() { field, value }: ValueQueryDto,
  ): Promise<ErasedDto> {
    return { erased: await this.values.erase(principal, identifier, field, value) };
  }

  /** Tell whether a field has received exactly this value, not counting spam and trash. */
  @Get('value_exists')
  @ApiOperation({ operationId: 'Submissions_valueExists' })
  async valueExists(
    @InForm() { principal, identifier }: InForm,
    @Query() { field, value }: ValueQueryDto,
  ): Promise<ValueExistsDto> {
    return { exists: await this.values.exists(principal, identifier, field, value) };
  }

  /** Erase a person; the value is in the body: addresses of requests are logged by many, bodies by few. */
  @Post('submissions/erase')
  @HttpCode(200)
  @ApiOperation({ operationId: 'Submissions_eraseByPost' })
  eraseByPost(@InForm() form: InForm, @Body() asked: ValueQueryDto): Promise<ErasedDto> {
    return this.erase(form, asked);
  }

  /** Tell whether a field has received a value; the value is in the body. */
  @Post('value_exists')
  @HttpCode(200)
  @Requires('submissions:read')
  @ApiOperation({ operationId: 'Submissions_valueExistsByPost' })
  valueExistsByPost(@InForm() form: InForm, @Body() asked: ValueQueryDto): Promise<ValueExistsDto> {
    return this.valueExists(form, asked);
  }
}
