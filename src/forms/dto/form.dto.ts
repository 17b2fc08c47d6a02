import { Allow, ValidateIf } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { asked, listOf, wrapped } from '../../platform/http/index.js';
import { FORM_NAME, FORM_SETTINGS, type FormSettings } from '../model/form-settings.js';
import { type FormView, ATTACHMENT_NAME_MAX, type VisitorAttachment } from '../model/form.entity.js';
import type { FormSummary } from '../forms.repository.js';
import { Optional, Required, Parsed, Text } from '../../platform/index.js';
import { revived, SETTING_GROUPS, SETTINGS, type SettingValues } from '../model/setting-groups.js';
import type { Setting, SettingGroup, ValuesOf, Declared } from '../model/setting.js';

/** A form with all its settings. */
export class FormDto {
  id: number;
  /** Unique token of the form: 16 lower-case hex digits. */
  identifier: string;
  /** Submissions that are neither spam nor in the trash. */
  submission_count: number;

  static {
    showSettings(this.prototype, FORM_NAME);
    showSettings(this.prototype, FORM_SETTINGS);
  }

  static of(form: FormView): FormDto {
    const { id, name, identifier, submissionCount: submission_count } = form;
    return { ...{ id, name, identifier }, ...FORM_SETTINGS.spelled(form), submission_count };
  }
}

/** A form as the list shows it. */
class FormListEntryDto {
  id: number;
  name: string;
  /** Unique token of the form: 16 lower-case hex digits. */
  identifier: string;
  /** Submissions that are neither spam nor in the trash. */
  submission_count: number;

  static of({ id, name, identifier, submissionCount }: FormSummary): FormListEntryDto {
    return { id, name, identifier, submission_count: submissionCount };
  }
}

export class FormListDto extends listOf('forms', FormListEntryDto) {}

/** The settings of a form besides its name. Absent: stays as it is. Null: cleared. */
abstract class FormSettingsDto {
  /** Read-only: ignored, so that an object from GET can be sent back. */
  @Allow()
  @ApiProperty({ type: 'integer', readOnly: true })
  id?: unknown;

  /** Read-only: ignored. */
  @Allow()
  @ApiProperty({ type: 'string', readOnly: true })
  identifier?: unknown;

  /** Read-only: ignored. */
  @Allow()
  @ApiProperty({ type: 'integer', readOnly: true })
  submission_count?: unknown;

  static {
    takeSettings(this.prototype, FORM_SETTINGS);
  }
}

/** Changes to a form. */
export class ChangeFormSettingsDto extends FormSettingsDto {
  static {
    takeSettings(this.prototype, FORM_NAME);
  }

  static of(dto: ChangeFormSettingsDto): Partial<FormSettings> {
    return { ...FORM_NAME.read(dto), ...FORM_SETTINGS.read(dto) };
  }
}

export class ChangeFormDto extends asked('form', ChangeFormSettingsDto) {}

/** Settings of a new form; all but the name have defaults. */
export class CreateFormSettingsDto extends FormSettingsDto {
  static {
    takeSettings(this.prototype, FORM_NAME, { required: true });
  }

  static of(dto: CreateFormSettingsDto): Partial<FormSettings> & { name: string } {
    return { name: '', ...FORM_NAME.read(dto), ...FORM_SETTINGS.read(dto) };
  }
}

export class CreateFormDto extends asked('form', CreateFormSettingsDto) {}

/** The part of a group that the classes here are made from. */
type Group = Pick<SettingGroup, 'list'>;
type Wire = new () => Record<string, unknown>;

/** Adds settings of a group to the class of an answer. */
function showSettings(target: object, { list }: Group) {
  for (const { apiName, declared } of list) {
    const { shape, says, none } = declared;
    const limits = shape.control === 'moment' ? ', ISO 8601 in UTC' : '';
    const described = { ...schemaOf(declared), description: sentence(says, limits, none) };
    ApiProperty(described)(target, apiName);
  }
}

/**
 * Adds settings of a group to the class of a request, each checked by its shape.
 * @param options.required by default each may be left out
 * @param options.isOfMany whether they have their names in a change of many forms
 */
export function takeSettings(
  target: object,
  { list }: Group,
  { required = false, isOfMany = false }: TakeOptions = {},
) {
  for (const { apiName, declared } of list) {
    const key = isOfMany ? (declared.many ?? apiName) : apiName;
    const { shape, says, none, isNullable } = declared;
    // As the compiler does for a property that is written out.
    Reflect.defineMetadata('design:type', Object, target, key);
    shape.rule(target, key);
    if (!required) Optional({ nullable: isNullable })(target, key);
    else if (isNullable) ValidateIf((_, value: unknown) => value !== null)(target, key);
    else Required()(target, key);
    ApiProperty({
      ...(shape.takes ?? schemaOf(declared)),
      ...shape.bounds,
      description: sentence(says, shape.limits, none),
      required,
    })(target, key);
  }
}

interface TakeOptions {
  required?: boolean;
  isOfMany?: boolean;
}

/** Makes the bodies of the routes of a group: several settings stand in a member called as the group. */
export function settingBodies<Settings extends Declared>(group: SettingGroup<Settings>) {
  const name = pascal(group.path);
  const Shown = named(`${name}Dto`);
  const Taken = named(`Set${name}Dto`);
  showSettings(Shown.prototype as object, group);
  takeSettings(Taken.prototype as object, group, { required: group.list.length === 1 });
  const of = (values: ValuesOf<Settings>) => group.spelled(values);
  const shown = Object.assign(Shown, { of });
  if (group.list.length === 1) return { Shown: shown, Asked: Taken };
  return {
    Shown: nameIt(wrapped(group.path, shown), `${name}AnswerDto`),
    Asked: nameIt(asked(group.path, Taken), `${name}RequestDto`),
  };
}

/** Returns the name of a class about a path: `VisitorMail` for `visitor-mail`. */
export function pascal(path: string) {
  return path.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
}

/** Makes an empty class of this name, which the API document has. */
function named(name: string) {
  // Its members are added by decorators, which types do not see.
  // oxlint-disable-next-line typescript/no-extraneous-class -- its members are added
  return nameIt(class {} as unknown as Wire, name);
}

function nameIt<Made extends object>(made: Made, name: string) {
  return Object.defineProperty(made, 'name', { value: name });
}

function schemaOf({ shape, isNullable }: Setting<unknown>): object {
  return {
    type: shape.type,
    nullable: isNullable,
    ...shape.members,
    ...(shape.choices && { enum: [...shape.choices] }),
  };
}

function sentence(says: string, limits = '', none?: string) {
  return `${says}${limits}${none === undefined ? '' : `; null ${none}`}.`;
}

/** The settings of forms by names that no two of them share. Absent: stays as it is. Null: cleared. */
export class SettingsDto {
  static {
    for (const group of SETTING_GROUPS) {
      takeSettings(this.prototype, group, { isOfMany: true });
    }
  }

  static of(dto: SettingsDto): SettingValues {
    const given = Object.entries(dto).filter(([key, value]) => SETTINGS.has(key) && value !== undefined);
    return Object.fromEntries(given.map(([key, value]) => [key, revived(key, value)]));
  }
}

/** Returns base64 without blanks, or null for what is none. */
function parseBase64(value: unknown) {
  if (typeof value !== 'string' || value.length % 4 !== 0) return null;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) ? value : null;
}

/** A file to send along. */
class AttachmentContentDto {
  /** Name of the file, such as `terms.pdf`. */
  @Text({ min: 1, max: ATTACHMENT_NAME_MAX, trim: true })
  @Required()
  name: string;

  /** The bytes in base64, at most 2 MB of them. */
  @Parsed('not_base64', parseBase64, 'must be the bytes of a file in base64')
  @Required()
  content: string;
}

export class SetVisitorAttachmentDto extends asked('attachment', AttachmentContentDto) {}

export class ShownAttachmentDto {
  name: string;
  media_type: string;
  /** In bytes. */
  size: number;
  /** The bytes in base64. */
  content: string;
}

/** The file that goes along with each email of a form to a visitor; null for none. */
export class VisitorAttachmentDto {
  attachment: ShownAttachmentDto | null;

  static from(found: VisitorAttachment | null): VisitorAttachmentDto {
    if (!found) return { attachment: null };
    const { name, mediaType: media_type, size, content } = found;
    return { attachment: { name, media_type, size, content: content.toString('base64') } };
  }
}
