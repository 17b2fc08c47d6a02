import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LearnedSignal, SpamLearning, SpamLessons } from './spam-lessons.service.js';
import { SpamLearningController } from './spam-learning.controller.js';
import { SpamLesson, SpamModel, SpamWord } from './spam-model.entity.js';
import { SpamLessonsRepository, SpamModelsRepository } from './spam-models.repository.js';

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
