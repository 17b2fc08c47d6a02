import { Room } from '../platform/room.js';
import { Intake } from './intake.js';

@Room({ providers: [Intake] })
export class IntakeModule {}
