import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { IntakeGateDto } from './dto/intake-gate.dto.js';
import { SetIntakeGateDto } from './dto/set-intake-gate.dto.js';
import { FormsService } from './forms.service.js';
import { IntakeGate } from './model/intake-gate.js';

@Controller('api/v1/forms/:identifier/intake')
export class IntakeGateController {
  constructor(private readonly forms: FormsService) {}

  /** Show whether a form is paused, when it closes, and how many submissions it takes. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<IntakeGateDto> {
    const { intakeGate } = await this.forms.get(principal, identifier);
    return IntakeGateDto.of(IntakeGate.decode(intakeGate));
  }

  /** Pause or open a form, and set when it closes. What is not named gets its default. */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: SetIntakeGateDto,
  ): Promise<IntakeGateDto> {
    const gate = SetIntakeGateDto.gate(body);
    await this.forms.setExtras(principal, identifier, { intakeGate: gate.encode() });
    return IntakeGateDto.of(gate);
  }
}
