import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LearnedSignal } from './learned-signal.service.js';
import { SpamLearningController } from './spam-learning.controller.js';
import { SpamLearning } from './spam-learning.service.js';
import { SpamLesson } from './spam-lesson.entity.js';
import { SpamLessonsRepository } from './spam-lessons.repository.js';
import { SpamLessons } from './spam-lessons.service.js';
import { SpamModel, SpamWord } from './spam-model.entity.js';
import { SpamModelsRepository } from './spam-models.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([SpamLesson, SpamModel, SpamWord])],
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
