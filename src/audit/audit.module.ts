export { AuditController } from './audit.controller.js';
export { AuditRepository } from './audit.repository.js';
export { AuditService } from './audit.service.js';
