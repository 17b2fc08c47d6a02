import type { Colleague } from '../../assignees/colleagues.js';

/** A person who has a submission open in a browser. */
export class ViewerDto {
  person_id: number;
  name: string;
}

/** Other people who have the submission open in a browser; a client sees only its own people. */
export class ViewersDto {
  viewers: ViewerDto[];

  static of(people: readonly Colleague[]): ViewersDto {
    return { viewers: people.map(({ id, name }) => ({ person_id: id, name })) };
  }
}
