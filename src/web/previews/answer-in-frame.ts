import { statusOf } from '../../platform/http/errors/status.js';
import { DomainError, NotFoundError } from '../../platform/kernel/errors.js';
import { framed, type PageAnswer } from '../kit/answers.js';
import { previewWords } from './words.js';
import { RefusalFramePage } from './mail-frame.page.js';

/**
 * Answers in a frame, also when that is refused: a page of errors would not be shown there.
 * @param labelOf names a field as its page does; absent: by its path
 * @throws NotFoundError, and what is no error of the product
 */
export async function answerInFrame(
  answer: () => Promise<PageAnswer>,
  labelOf?: (field: string) => string,
): Promise<PageAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof NotFoundError) throw error;
    const { fields: problems } = error;
    const message = problems.length > 0 ? previewWords.problems : error.message;
    return framed(RefusalFramePage({ message, problems, labelOf }), statusOf(error));
  }
}
