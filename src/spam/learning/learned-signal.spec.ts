import type { SpamEvidence } from '../evidence/spam-evidence.js';
import { SpamSettings } from '../judge/spam-settings.js';
import { LearnedSignal } from './spam-lessons.service.js';
import { ALL_FORMS, type SpamModel } from './spam-model.entity.js';
import type { SpamModelsRepository } from './spam-models.repository.js';

it('Submissions that come at once have their models read once for each account, and are judged by their own', async () => {
  const model = (id: number, formId: number) => ({ id, formId, spam: 1_000, ham: 1_000 }) as SpamModel;
  const asked: unknown[][] = [];
  const judgedBy: (readonly number[])[] = [];
  const models = {
    listFor: (...call: [number, number[]]) => {
      asked.push(call);
      return Promise.resolve(call[0] === 1 ? [model(10, ALL_FORMS), model(11, 1), model(12, 2)] : []);
    },
    countsOf: (ids: readonly number[]) => {
      judgedBy.push(ids);
      return Promise.resolve(new Map());
    },
  } as unknown as SpamModelsRepository;
  const signal = new LearnedSignal(models);
  const settings = SpamSettings.of({ spamSettings: null, whitelistedDomains: null });
  const forms = [
    { accountId: 1, id: 1 },
    { accountId: 1, id: 2 },
    { accountId: 11, id: 3 },
  ];

  const fields = [{ name: 'text', text: 'some words' }];
  await Promise.all(forms.map((form) => signal.look({ form, fields } as unknown as SpamEvidence, settings)));

  expect(asked).toEqual([
    [1, [1, 2]],
    [11, [3]],
  ]);
  expect(judgedBy).toEqual([
    [10, 11],
    [10, 12],
  ]);
});
