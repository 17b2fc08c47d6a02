export { MovesController } from './moves.controller.js';
export { MovesService } from './moves.service.js';
