import { Module } from '@nestjs/common';
import { AssetsController } from './layout/assets.controller.js';

/** The pages for people who sign in; nobody imports it. */
@Module({ controllers: [AssetsController] })
export class WebModule {}
