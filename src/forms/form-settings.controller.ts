import { Body, Controller, Delete, Get, Injectable, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { RoutesRequire, Allows, InForm } from '../access/access.decorators.js';
import {
  FieldLabelsDto,
  SetFieldLabelsDto,
  FieldRulesDto,
  SetFieldRulesDto,
  PreviewDto,
  SetPreviewDto,
} from './dto/field-rules.dto.js';
import { FormsService } from './forms.service.js';
import { FieldRules } from './model/field-rules.js';
import { pascal, settingBodies } from './dto/settings.dto.js';
import { encodePreview } from './model/form-values.js';
import { RETENTION } from './model/form-settings.js';
import { INTAKE } from './model/intake-gate.js';
import type { Declared, SettingGroup } from './model/setting.js';
import { ReadsLong } from '../platform/http/bodies/body.guard.js';
import { MessageDto } from '../platform/http/page-query.dto.js';
import { SetVisitorAttachmentDto, VisitorAttachmentDto } from './dto/visitor-attachment.dto.js';
import { FormQueries } from './form-queries.service.js';
import { VisitorAttachments } from './visitor-attachments.service.js';

/** Serves one setting of a form. */
@Injectable()
class SettingRoutes {
  constructor(
    protected readonly forms: FormsService,
    protected readonly queries: FormQueries,
  ) {}
}

@Controller('api/v1/forms/:identifier/labels')
@RoutesRequire('forms:read', 'forms:write')
export class FieldLabelsController extends SettingRoutes {
  /** Show the labels and the order of the fields of a form. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<FieldLabelsDto> {
    const { labels } = await this.queries.get(principal, identifier);
    return FieldLabelsDto.of(labels);
  }

  /** Set the labels and the order of the fields of a form in emails, on pages and in the inbox. */
  @Put()
  async set(
    @InForm() { principal, identifier }: InForm,
    @Body() body: SetFieldLabelsDto,
  ): Promise<FieldLabelsDto> {
    const fieldLabels = SetFieldLabelsDto.labels(body).encode();
    const form = await this.forms.change(principal, identifier, { fieldLabels });
    return FieldLabelsDto.of(form.labels);
  }
}

@Controller('api/v1/forms/:identifier/rules')
@RoutesRequire('forms:read', 'forms:write')
export class FieldRulesController extends SettingRoutes {
  /** Show the rules for the fields of a form. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<FieldRulesDto> {
    const { fieldRules } = await this.queries.get(principal, identifier);
    return FieldRulesDto.of(FieldRules.decode(fieldRules));
  }

  /** Set the rules for the fields of a form, and what happens to a submission that breaks one. */
  @Put()
  async set(
    @InForm() { principal, identifier }: InForm,
    @Body() body: SetFieldRulesDto,
  ): Promise<FieldRulesDto> {
    const rules = SetFieldRulesDto.rules(body);
    await this.forms.change(principal, identifier, { fieldRules: rules.encode() });
    return FieldRulesDto.of(rules);
  }
}

@Controller('api/v1/forms/:identifier/preview')
@RoutesRequire('forms:read', 'forms:write')
export class PreviewController extends SettingRoutes {
  /** Show the preview fields of a form. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<PreviewDto> {
    return PreviewDto.of(await this.queries.get(principal, identifier));
  }

  /** Set the preview fields of a form for rows of the inbox and digests, for everyone with access to the form. */
  @Put()
  async set(
    @InForm() { principal, identifier }: InForm,
    @Body() { fields }: SetPreviewDto,
  ): Promise<PreviewDto> {
    const previewFields = encodePreview(fields);
    return PreviewDto.of(await this.forms.change(principal, identifier, { previewFields }));
  }
}

function routesOf<Settings extends Declared>({ path, routes }: SettingGroup<Settings>) {
  if (!routes) throw new Error(`${path} has no routes.`);
  return routes;
}

/** Makes the controller of the declared settings of a group. */
function controllerOf<Settings extends Declared>(group: SettingGroup<Settings>) {
  const { path } = group;
  const routes = routesOf(group);
  const { Shown, Asked } = settingBodies(group);

  @Controller(`api/v1/forms/:identifier/${path}`)
  @RoutesRequire('forms:read', 'forms:write')
  class SettingsController extends SettingRoutes {
    @Get()
    @ApiOperation({ summary: routes.show })
    @ApiOkResponse({ type: Shown })
    async show(@InForm() { principal, identifier }: InForm) {
      return Shown.of(group.of(await this.queries.get(principal, identifier)));
    }

    @Put()
    @ApiOperation({ summary: routes.set })
    @ApiBody({ type: Asked })
    @ApiOkResponse({ type: Shown })
    async set(@InForm() { principal, identifier }: InForm, @Body() body: object) {
      const sent = body as Record<string, object>;
      const values = { ...group.defaults, ...group.read(sent[path] ?? sent) };
      const form = await this.forms.change(principal, identifier, (now) =>
        group.changed(now, values),
      );
      return Shown.of(group.of(form));
    }
  }

  const { prototype } = SettingsController;
  // As the compiler does for a body of a class that is written out.
  Reflect.defineMetadata('design:paramtypes', [Object, Asked], prototype, 'set');
  const set = Object.getOwnPropertyDescriptor(prototype, 'set');
  if (routes.allows && set) Allows(routes.allows)(prototype, 'set', set);
  return Object.defineProperty(SettingsController, 'name', {
    value: `${pascal(path)}SettingsController`,
  });
}

export const IntakeSettingsController = controllerOf(INTAKE);
export const RetentionSettingsController = controllerOf(RETENTION);

/** Serves the file that goes along with the emails of a form to its visitors. */
@Controller('api/v1/forms/:identifier/visitor-mail/attachment')
@RoutesRequire('forms:read', 'forms:write')
export class VisitorMailController {
  constructor(private readonly attachments: VisitorAttachments) {}

  /** Show the file that goes along with each email to a visitor, with its bytes. */
  @Get()
  async showAttachment(@InForm() { principal, identifier }: InForm): Promise<VisitorAttachmentDto> {
    return VisitorAttachmentDto.from(await this.attachments.get(principal, identifier));
  }

  /** Set the file that goes along with each email to a visitor, up to 2 MB. */
  @Put()
  @ReadsLong()
  async setAttachment(
    @InForm() { principal, identifier }: InForm,
    @Body() { attachment: { name, content } }: SetVisitorAttachmentDto,
  ): Promise<VisitorAttachmentDto> {
    const bytes = Buffer.from(content, 'base64');
    await this.attachments.set(principal, identifier, name, bytes, 'attachment.content');
    return VisitorAttachmentDto.from(await this.attachments.get(principal, identifier));
  }

  /** Remove that file. */
  @Delete()
  async removeAttachment(@InForm() { principal, identifier }: InForm): Promise<MessageDto> {
    await this.attachments.remove(principal, identifier);
    return { message: 'No file goes along with emails to visitors any more.' };
  }
}
