import { Room } from '../platform/room.js';
import { Intake } from './intake.js';

@Room({ Intake })
export class IntakeModule {}
