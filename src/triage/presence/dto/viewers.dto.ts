import type { Colleague } from '../../assignees/colleagues.js';

/** A person who has a submission open in a browser. */
export class ViewerDto {
  person_id: number;
  name: string;
}

/** Who has a submission open in a browser, without who asks; a client is told of its own people alone. */
export class ViewersDto {
  viewers: ViewerDto[];

  static of(people: readonly Colleague[]): ViewersDto {
    return { viewers: people.map(({ id, name }) => ({ person_id: id, name })) };
  }
}
