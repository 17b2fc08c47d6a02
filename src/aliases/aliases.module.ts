export {
  AccountAliasesController,
  AliasesController,
  DialectController,
} from './aliases.controller.js';
export { AliasesService } from './aliases.service.js';
export { FormAliasesRepository } from './form-aliases.repository.js';
