import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { Requires, RoutesRequire, InForm } from '../../accounts/access/index.js';
import { AssigneesService } from './assignees.service.js';
import { AssignDto, AssigneeDto, AssigneeOfSubmissionDto, ColleagueListDto } from './assignee.dto.js';

@Controller('api/v1/forms/:identifier')
@RoutesRequire('submissions:write')
export class AssigneesController {
  constructor(private readonly assignees: AssigneesService) {}

  /**
   * List the possible assignees of a form: members of the account, and people of clients who see the form. A
   * client gets its own people alone.
   */
  @Get('assignees')
  async list(@InForm() { principal, identifier }: InForm): Promise<ColleagueListDto> {
    return ColleagueListDto.of(await this.assignees.choices(principal, identifier));
  }

  /** Show the assignee of a submission. */
  @Get('submissions/:id/assignee')
  @Requires('submissions:read')
  async show(@InForm('id') { principal, identifier, id }: InForm): Promise<AssigneeOfSubmissionDto> {
    const personId = await this.assignees.show(principal, identifier, id);
    if (personId === null) return { assignee: null };
    const named = await this.assignees.named(principal, [personId]);
    return { assignee: AssigneeDto.of(named.get(personId)) };
  }

  /** Assign a submission to a person with access to its form, or with null to nobody. */
  @Put('submissions/:id/assignee')
  async assign(
    @InForm('id') { principal, identifier, id }: InForm,
    @Body() { assignee }: AssignDto,
  ): Promise<AssigneeOfSubmissionDto> {
    await this.assignees.assign(principal, identifier, id, assignee?.person_id ?? null);
    return this.show({ principal, identifier, id });
  }

  /** Remove the assignee of a submission. */
  @Delete('submissions/:id/assignee')
  async unassign(@InForm('id') { principal, identifier, id }: InForm): Promise<AssigneeOfSubmissionDto> {
    await this.assignees.assign(principal, identifier, id, null);
    return { assignee: null };
  }
}
