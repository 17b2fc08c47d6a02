import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PeopleModule } from '../../people/people.module.js';
import { DoctorModule } from '../doctor/doctor.module.js';
import { OperatorAlarm } from './operator-alarm.entity.js';
import { OperatorAlarms } from './operator-alarms.js';
import { OperatorAlarmsRepository } from './operator-alarms.repository.js';

/** Tells operators of checks that fail. */
@Module({
  imports: [TypeOrmModule.forFeature([OperatorAlarm]), DoctorModule, PeopleModule],
  providers: [OperatorAlarms, OperatorAlarmsRepository],
})
export class OperatorAlarmsModule {}
