import { Module } from '@nestjs/common';
import { LearnedSignal, SpamLearning, SpamLessons } from './spam-lessons.service.js';
import { SpamLearningController } from './spam-learning.controller.js';
import { SpamLessonsRepository, SpamModelsRepository } from './spam-models.repository.js';

@Module({
  controllers: [SpamLearningController],
  providers: [
    LearnedSignal,
    SpamLearning,
    SpamLessons,
    SpamLessonsRepository,
    SpamModelsRepository,
  ],
  exports: [LearnedSignal, SpamLearning, SpamLessons],
})
export class SpamLearningModule {}
