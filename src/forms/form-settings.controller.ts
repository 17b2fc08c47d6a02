import { Body, Controller, Get, Param, Put, Delete } from '@nestjs/common';
import { CurrentPrincipal, Requires, Allows } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import {
  FieldLabelsDto,
  SetFieldLabelsDto,
  FieldRulesDto,
  SetFieldRulesDto,
  PreviewDto,
  SetPreviewDto,
  RetentionDto,
  SetRetentionDto,
} from './dto/field-rules.dto.js';
import { FormsService } from './forms.service.js';
import { FieldRules } from './model/field-rules.js';
import { IntakeGateDto, SetIntakeGateDto } from './dto/form-settings.dto.js';
import { IntakeGate, encodePreview } from './model/form-values.js';
import { ReadsLong } from '../platform/http/bodies/body.guard.js';
import { MessageDto } from '../platform/http/page-query.dto.js';
import {
  SetVisitorAttachmentDto,
  VisitorAttachmentDto,
  SetVisitorMailDto,
  VisitorMailDto,
} from './dto/visitor-mail.dto.js';
import { decodeVisitorMail, encodeVisitorMail } from './model/visitor-mail.js';
import { FormQueries } from './form-queries.service.js';
import { VisitorAttachments } from './visitor-attachments.service.js';

@Controller('api/v1/forms/:identifier/labels')
export class FieldLabelsController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
  ) {}

  /** Show the labels and the order of the fields of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<FieldLabelsDto> {
    const { labels } = await this.queries.get(principal, identifier);
    return FieldLabelsDto.of(labels);
  }

  /** Set the labels and the order of the fields of a form in emails, on pages and in the inbox. */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: SetFieldLabelsDto,
  ): Promise<FieldLabelsDto> {
    const fieldLabels = SetFieldLabelsDto.labels(body).encode();
    const form = await this.forms.setExtras(principal, identifier, { fieldLabels });
    return FieldLabelsDto.of(form.labels);
  }
}

@Controller('api/v1/forms/:identifier/rules')
export class FieldRulesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
  ) {}

  /** Show the rules for the fields of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<FieldRulesDto> {
    const { fieldRules } = await this.queries.get(principal, identifier);
    return FieldRulesDto.of(FieldRules.decode(fieldRules));
  }

  /** Set the rules for the fields of a form, and what happens to a submission that breaks one. */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: SetFieldRulesDto,
  ): Promise<FieldRulesDto> {
    const rules = SetFieldRulesDto.rules(body);
    await this.forms.setExtras(principal, identifier, { fieldRules: rules.encode() });
    return FieldRulesDto.of(rules);
  }
}

@Controller('api/v1/forms/:identifier/intake')
export class IntakeGateController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
  ) {}

  /** Show whether a form is paused, when it closes, and how many submissions it takes. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<IntakeGateDto> {
    const { intakeGate } = await this.queries.get(principal, identifier);
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

@Controller('api/v1/forms/:identifier/preview')
export class PreviewController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
  ) {}

  /** Show the preview fields of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<PreviewDto> {
    return PreviewDto.of(await this.queries.get(principal, identifier));
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

@Controller('api/v1/forms/:identifier/retention')
export class RetentionController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
  ) {}

  /** Show the retention of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<RetentionDto> {
    const { retentionDays } = await this.queries.get(principal, identifier);
    return { days: retentionDays };
  }

  /** Set the retention of a form. What is older goes within the hour, files too. */
  @Put()
  @Requires('forms:write')
  @Allows('erase')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { days }: SetRetentionDto,
  ): Promise<RetentionDto> {
    const { retentionDays } = await this.forms.setExtras(principal, identifier, {
      retentionDays: days,
    });
    return { days: retentionDays };
  }
}

@Controller('api/v1/forms/:identifier/visitor-mail')
export class VisitorMailController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly attachments: VisitorAttachments,
  ) {}

  /** Show whether visitors confirm what they send, the HTML of the email to them, and the file that goes along. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<VisitorMailDto> {
    const { id, visitorMail } = await this.queries.get(principal, identifier);
    return VisitorMailDto.of(decodeVisitorMail(visitorMail), await this.attachments.find(id));
  }

  /**
   * Set whether visitors confirm what they send, and the HTML of the email to them. What is not named gets its default;
   * what waits for a confirmation goes on waiting.
   */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: SetVisitorMailDto,
  ): Promise<VisitorMailDto> {
    const choice = SetVisitorMailDto.choice(body);
    const visitorMail = encodeVisitorMail(choice);
    const { id } = await this.forms.setExtras(principal, identifier, { visitorMail });
    return VisitorMailDto.of(choice, await this.attachments.find(id));
  }

  /** Show the file that goes along with each email to a visitor, with its bytes. */
  @Get('attachment')
  @Requires('forms:read')
  async showAttachment(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<VisitorAttachmentDto> {
    return VisitorAttachmentDto.from(await this.attachments.get(principal, identifier));
  }

  /** Set the file that goes along with each email to a visitor, up to 2 MB. */
  @Put('attachment')
  @ReadsLong()
  @Requires('forms:write')
  async setAttachment(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { attachment: { name, content } }: SetVisitorAttachmentDto,
  ): Promise<VisitorAttachmentDto> {
    const bytes = Buffer.from(content, 'base64');
    await this.attachments.set(principal, identifier, name, bytes, 'attachment.content');
    return VisitorAttachmentDto.from(await this.attachments.get(principal, identifier));
  }

  /** Remove that file. */
  @Delete('attachment')
  @Requires('forms:write')
  async removeAttachment(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<MessageDto> {
    await this.attachments.remove(principal, identifier);
    return { message: 'No file goes along with emails to visitors any more.' };
  }
}
