import { Injectable } from '@nestjs/common';
import { Hooks, Signals, BackgroundTask, HOUR_MS } from '../../platform/index.js';
import type { Principal } from '../../accounts/access/index.js';
import { presenceTopics } from '../../forms/model/form-changes.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { PeopleDirectory, type Colleague } from '../assignees/assignees.service.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { SubmissionActs } from '../../submissions/acts/submission-acts.service.js';
import { PresencesRepository } from './presences.repository.js';

/** How long a submission counts as open after its page last said so, in seconds. A page says so three times in it. */
const OPEN_SECONDS = 75;

/** Knows who has a submission open, so that two people do not deal with it at once. */
@Injectable()
export class PresenceService {
  constructor(
    private readonly presences: PresencesRepository,
    private readonly submissions: SubmissionsService,
    private readonly hooks: Hooks,
    private readonly acts: SubmissionActs,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /**
   * Notes that a person has a submission open, or left it. Of a person the last one counts; a token has none. That
   * they saw it stays in its timeline.
   * @throws FormNotFound, SubmissionNotFound
   */
  async note(principal: Principal, identifier: string, id: Buffer | null, isOpen: boolean) {
    const { form, submission } = await this.submissions.locate(principal, identifier, id);
    const { id: submissionId } = submission;
    const { actor, clientId } = principal;
    if (actor.kind !== 'person' || actor.id === null || principal.isOnlyLooking) return;
    const personId = actor.id;
    const isNews = await this.unitOfWork.run(async (tx) => {
      const presences = this.presences.in(tx);
      if (!isOpen) return presences.remove(personId, submissionId);
      const isKnown = await presences.has(personId, submissionId);
      await presences.put({ personId, clientId, submissionId }, OPEN_SECONDS);
      if (!isKnown) await this.acts.recordLook(tx, principal, { id: submissionId, formId: form.id });
      return !isKnown;
    });
    if (!isNews) return;
    for (const topic of presenceTopics(clientId)) this.signals.give(topic, form.id, principal.by);
  }

  /**
   * Returns who else has a submission open, of those who are known to who asks.
   * @throws FormNotFound, SubmissionNotFound
   */
  async others(principal: Principal, identifier: string, id: Buffer | null): Promise<Colleague[]> {
    const { submission } = await this.submissions.locate(principal, identifier, id);
    return this.othersAt(principal, submission.id);
  }

  /** Does the same for a submission whose scope was checked already. */
  async othersAt(principal: Principal, submissionId: Buffer): Promise<Colleague[]> {
    const { reader, clientId } = principal;
    const found = await this.presences.of(submissionId);
    const others = found.filter(
      (each) =>
        (clientId === null || each.clientId === clientId) && !(reader.kind === 'person' && reader.id === each.personId),
    );
    if (others.length === 0) return [];
    const ids = others.map(({ personId }) => personId);
    return [...(await this.hooks.ask(PeopleDirectory).byIds(principal, ids)).values()];
  }

  /** Removes what was left without a word. */
  @BackgroundTask('forget who had what open', HOUR_MS)
  forgetOld(): Promise<void> {
    return this.unitOfWork.run((tx) => this.presences.in(tx).forgetOld());
  }
}
