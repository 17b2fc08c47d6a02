import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import {
  DeliveriesService,
  type DeliveryWithAttempts,
} from '../../deliveries/deliveries.service.js';
import { sendDownload } from '../../platform/http/send-download.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { formatUuid, timeOf } from '../../platform/kernel/uuid.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { isTicked, type Typed } from '../layout/typed.js';
import { WebController } from '../layout/web-controller.js';
import { inboxAddress } from './folders.js';
import { SubmissionPage, type DeliveryShown } from './submission.page.js';

const NO_ID = Buffer.alloc(0);

/** One submission and what became of it, for people in a browser. */
@WebController('inbox/:identifier/:id')
export class SubmissionPagesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly deliveries: DeliveriesService,
    private readonly frames: Frames,
  ) {}

  /** Show a submission. */
  @Get()
  @Allows('see')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.submissions.get(principal, identifier, id);
    const { form, submission, files } = found;
    const { spam, spamReason, trash, origin, referer, userAgent, address } = submission;
    const deliveries = await this.deliveries.listFor(submission.id);
    const page = SubmissionPage({
      frame: await this.frames.of(request, response),
      form: { name: form.name, identifier },
      id: formatUuid(submission.id),
      receivedAt: timeOf(submission.id),
      ...{ spam, spamReason, trash, origin, referer, userAgent, address },
      answers: submission.values.toText(),
      files: files.map(({ id: fileId, field, name, size }) => ({
        id: formatUuid(fileId),
        field,
        name,
        bytes: size,
      })),
      deliveries: deliveries.map(shown),
      planned: await this.submissions.plannedOnRestore(found),
      mayTriage: principal.may('triage'),
      mayErase: principal.may('erase'),
    });
    sendPage(response, page);
  }

  /** Mark it as spam or not, or move it to the trash or out of it. */
  @Post('marks')
  @Allows('triage')
  async mark(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() typed: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const marks = {
      ...(typed && 'spam' in typed && { spam: isTicked(typed, 'spam') }),
      ...(typed && 'trash' in typed && { trash: isTicked(typed, 'trash') }),
    };
    const { submission } = await this.submissions.mark(principal, identifier, id, marks);
    const flash = submission.trash ? 'in_trash' : submission.spam ? 'is_spam' : 'in_inbox';
    redirect(response, addressOf(identifier, submission.id), flash);
  }

  /** Erase it for good, with its files. */
  @Post('erase')
  @Allows('erase')
  async erase(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    await this.submissions.delete(principal, identifier, id);
    redirect(response, inboxAddress({ form: identifier }), 'erased');
  }

  /** Try a delivery again now. */
  @Post('deliveries/:deliveryId/attempts')
  @Allows('triage')
  async tryNow(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('deliveryId', Uuid) deliveryId: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const { form, submission } = await this.submissions.get(principal, identifier, id);
    await this.deliveries.tryNow(form.id, submission.id, deliveryId ?? NO_ID);
    redirect(response, addressOf(identifier, submission.id), 'tried');
  }

  /** Download a file. */
  @Get('files/:fileId')
  @Allows('see')
  async download(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('fileId', Uuid) fileId: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.submissions.openFile(principal, identifier, id, fileId);
    await sendDownload(response, file);
  }
}

function addressOf(identifier: string, id: Buffer): string {
  return `/inbox/${identifier}/${formatUuid(id)}`;
}

function shown({ delivery, attempts }: DeliveryWithAttempts): DeliveryShown {
  const { id, kind, recipient, state, nextAttemptAt } = delivery;
  return {
    ...{ kind, recipient, state, nextAttemptAt },
    id: formatUuid(id),
    attempts: attempts.map(({ at, durationMs, outcome, answer }) => ({
      ...{ at, durationMs, outcome, answer },
    })),
  };
}
