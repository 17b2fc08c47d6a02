import { Room } from '../platform/room.js';
import {
  DestinationCaller,
  DestinationChannel,
  DestinationSecrets,
} from './destination-channel.js';
import { DestinationPlanner } from './destination-planner.js';
import { DestinationExclusions, DestinationLog } from './destination-exclusions.service.js';
import { DestinationOpener } from './destination-opener.js';
import { DestinationsService } from './destinations.service.js';
import {
  DestinationPreviews,
  DestinationSamples,
  DestinationTrials,
} from './destination-trials.js';
import { DestinationsController, FormDestinationsController } from './destinations.controller.js';
import { DestinationsRepository } from './destinations.repository.js';
import { DestinationMails } from './destination-mails.js';
import { DigestMails } from './digest-mails.js';
import { Calls } from './kinds/calls.js';
import { WebhooksController } from './webhook.controller.js';
import { WebhookService } from './webhook.service.js';

@Room({
  controllers: [FormDestinationsController, DestinationsController, WebhooksController],
  providers: [
    Calls,
    DestinationCaller,
    DestinationChannel,
    DestinationExclusions,
    DestinationLog,
    DestinationMails,
    DestinationOpener,
    DestinationPlanner,
    DestinationPreviews,
    DestinationSamples,
    DestinationSecrets,
    DestinationsRepository,
    DestinationsService,
    DestinationTrials,
    DigestMails,
    WebhookService,
  ],
})
export class DestinationsModule {}
