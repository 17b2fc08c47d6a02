import { Body, Controller, Delete, Get, Injectable, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { RoutesRequire, Allows, InForm } from '../accounts/access/index.js';
import { FieldsDto } from './dto/fields.dto.js';
import { FormsService } from './forms.service.js';
import { pascal, settingBodies, SetVisitorAttachmentDto, VisitorAttachmentDto } from './dto/form.dto.js';
import { RETENTION, STATUSES } from './model/form-settings.js';
import { LANGUAGE, TRANSLATIONS } from './model/form-language.js';
import { PAGE } from './model/form-page.js';
import { INTAKE } from './model/intake-gate.js';
import type { Declared, SettingGroup } from './model/setting.js';
import { ReadsLong, MessageDto } from '../platform/http/index.js';
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

/** Serves the fields of a form. */
@Controller('api/v1/forms/:identifier/fields')
@RoutesRequire('forms:read', 'forms:write')
export class FieldsController extends SettingRoutes {
  /** Show the fields of a form. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<FieldsDto> {
    return FieldsDto.of(await this.queries.get(principal, identifier));
  }

  /** Set the fields of a form, in their order, and what happens to a submission that breaks one. */
  @Put()
  @ReadsLong()
  async set(@InForm() { principal, identifier }: InForm, @Body() body: FieldsDto): Promise<FieldsDto> {
    const fields = FieldsDto.fields(body);
    return FieldsDto.of(await this.forms.change(principal, identifier, (form) => form.withFields(fields)));
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
      const isFlat = group.list.length === 1;
      const sent = isFlat ? body : (body as Record<string, object>)[path];
      const values = { ...group.defaults, ...group.read(sent ?? {}) };
      const form = await this.forms.change(principal, identifier, (now) => group.changed(now, values));
      return Shown.of(group.of(form));
    }
  }

  const { prototype } = SettingsController;
  // As the compiler does for a body of a class that is written out.
  Reflect.defineMetadata('design:paramtypes', [Object, Asked], prototype, 'set');
  const set = Object.getOwnPropertyDescriptor(prototype, 'set');
  if (routes.allows && set) Allows(routes.allows)(prototype, 'set', set);
  return Object.defineProperty(SettingsController, 'name', { value: `${pascal(path)}SettingsController` });
}

export const LanguageSettingsController = controllerOf(LANGUAGE);
export const TranslationsSettingsController = controllerOf(TRANSLATIONS);
export const PageSettingsController = controllerOf(PAGE);
export const IntakeSettingsController = controllerOf(INTAKE);
export const RetentionSettingsController = controllerOf(RETENTION);
export const StatusesSettingsController = controllerOf(STATUSES);

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
