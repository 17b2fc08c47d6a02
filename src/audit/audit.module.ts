import { Room } from '../platform/room.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

@Room({ AuditController, AuditRepository, AuditService })
export class AuditModule {}
