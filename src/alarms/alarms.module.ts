import { Room } from '../platform/room.js';
import { AlarmMails, AlarmsService, LastSubmissions } from './alarms.service.js';
import { FormAlarmsRepository } from './form-alarms.repository.js';

/** Tells owners what is unusual about their forms. */
@Room({ AlarmMails, AlarmsService, FormAlarmsRepository, LastSubmissions })
export class AlarmsModule {}
