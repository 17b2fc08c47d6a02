import type { LearntCount } from './likeness.js';
import { type SpamKind, type SpamLesson, type SpamModel, DIGEST_BYTES } from './spam-model.entity.js';

/** Amounts to add to the counts of a model: of its submissions, and of its words by the digest as Latin-1. */
export interface ModelChange {
  total: LearntCount;
  words: Map<string, LearntCount>;
}

/** Sums up what one transaction changes in the models of an account. */
export class Ledger {
  readonly changes = new Map<SpamModel, ModelChange>();

  /** Has a model learn from a lesson that has its words. */
  teach(model: SpamModel, lesson: SpamLesson, kind: SpamKind) {
    lesson.modelId = model.id;
    lesson.taught = kind;
    this.add(model, lesson, kind, 1);
  }

  /** Takes back from its model what a lesson taught. */
  takeBack(model: SpamModel | undefined, lesson: SpamLesson) {
    if (model && lesson.taught) this.add(model, lesson, lesson.taught, -1);
    lesson.modelId = null;
    lesson.taught = null;
  }

  private add(model: SpamModel, { words }: SpamLesson, kind: SpamKind, by: 1 | -1) {
    const change: ModelChange = this.changes.get(model) ?? { total: { spam: 0, ham: 0 }, words: new Map() };
    this.changes.set(model, change);
    change.total[kind] += by;
    model[kind] += by;
    const text = words?.toString('latin1') ?? '';
    for (let at = 0; at < text.length; at += DIGEST_BYTES) {
      const digest = text.slice(at, at + DIGEST_BYTES);
      const count = change.words.get(digest) ?? { spam: 0, ham: 0 };
      count[kind] += by;
      change.words.set(digest, count);
    }
  }
}
