import { ApiProperty } from '@nestjs/swagger';
import type { FormFate } from '../fleet-change.js';

const VALUE = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
};

/** A setting that differs. */
export class DifferenceDto {
  /** Name of the setting, as in the request. */
  setting: string;
  @ApiProperty(VALUE)
  before: string | number | boolean | null;
  @ApiProperty(VALUE)
  after: string | number | boolean | null;
}

/** The fate of a form, or that to come. */
export class FormFateDto {
  identifier: string;
  /** Name of the form; empty for one that is unknown. */
  name: string;
  state: 'changed' | 'unchanged' | 'refused';
  /** Settings that differ; none unless the state is `changed`. */
  differences: DifferenceDto[];
  /** Code of the reason why it is refused, as problems name it; null if it is not. */
  code: string | null;
  /** The reason in a sentence. */
  reason: string | null;

  static of({ form, state, differences, error }: FormFate): FormFateDto {
    return {
      identifier: form.identifier,
      name: form.name,
      state,
      differences: differences.map(({ setting, before, after }) => ({ setting, before, after })),
      code: error?.code ?? null,
      reason: error?.message ?? null,
    };
  }
}

/** The fates of the forms of a change, or those to come. */
export class FleetChangesDto {
  /** Whether nothing was changed. */
  preview: boolean;
  /** Forms that were changed, or would be. */
  changed: number;
  unchanged: number;
  refused: number;
  /** In the order of the request. */
  forms: FormFateDto[];

  static of(fates: readonly FormFate[], preview: boolean): FleetChangesDto {
    const count = (state: FormFate['state']) => fates.filter((fate) => fate.state === state).length;
    return {
      preview,
      changed: count('changed'),
      unchanged: count('unchanged'),
      refused: count('refused'),
      forms: fates.map((fate) => FormFateDto.of(fate)),
    };
  }
}
