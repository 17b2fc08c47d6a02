export { WarningsController } from './warnings.controller.js';
export { UnreadableSecrets, WarningsService } from './warnings.service.js';
