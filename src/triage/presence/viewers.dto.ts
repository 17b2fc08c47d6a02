import { listOf } from '../../platform/http/index.js';
import type { Colleague } from '../assignees/assignees.service.js';

/** A person who has a submission open in a browser. */
export class ViewerDto {
  person_id: number;
  name: string;

  static of({ id, name }: Colleague): ViewerDto {
    return { person_id: id, name };
  }
}

/** Other people who have the submission open in a browser; a client sees only its own people. */
export class ViewersDto extends listOf('viewers', ViewerDto) {}
