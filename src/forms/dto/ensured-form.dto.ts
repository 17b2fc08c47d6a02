import { Optional } from '../../platform/index.js';
import type { EnsuredForm } from '../forms.service.js';
import { FieldDto, FieldList, FieldsDto } from './fields.dto.js';
import { CreateFormDto, FormDto } from './form.dto.js';

/** A form that is to be there. */
export class EnsureFormDto extends CreateFormDto {
  /** Its fields if it is created, at most 250, each once, in their order. */
  @FieldList()
  @Optional()
  fields?: FieldDto[];
}

/** A form that is there. */
export class EnsuredFormDto {
  form: FormDto;
  fields: FieldDto[];
  /** Whether it was created. */
  created: boolean;

  static of({ form, isNew }: EnsuredForm): EnsuredFormDto {
    return { form: FormDto.of(form), fields: FieldsDto.of(form).fields, created: isNew };
  }
}
