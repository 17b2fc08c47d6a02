import { Body, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { BulkService } from '../../submissions/triage/bulk.service.js';
import { redirect, type Undo } from '../layout/flash.js';
import { isTicked, textOf, textsOf, type Typed } from '../layout/typed.js';
import { WebController } from '../layout/web-controller.js';
import { chosenIn } from './changes.js';
import { inboxAddress } from './folders.js';

/** Takes what is done with the selected submissions of a list. */
@WebController('inbox')
export class BulkPagesController {
  constructor(private readonly bulk: BulkService) {}

  /**
   * Change the selected ones, and offer to take that back from those that were not so before. All that match
   * are for a job, which is asked about first.
   */
  @Post('bulk')
  @Allows('see')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Body() typed: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const shown = textOf(typed, 'shown').split(',');
    const selected = isTicked(typed, 'all') ? shown : textsOf(typed, 'id');
    const ids = selected.map(parseUuid).filter((id) => id !== null);
    const line = textOf(typed, 'q');
    const back = inboxAddress(line, textOf(typed, 'before'));
    const { changes, fields, inverse } = chosenIn(typed);
    if (isTicked(typed, 'all') && isTicked(typed, 'every') && fields.length > 0) {
      const asked = new URLSearchParams([['q', line], ...fields]);
      redirect(response, `/new-job?${asked.toString()}`);
      return;
    }
    if (ids.length === 0 || Object.keys(changes).length === 0) {
      redirect(response, back, ids.length === 0 ? 'nothing_selected' : 'nothing_chosen');
      return;
    }
    const changed = (await this.bulk.change(principal, ids, changes)).map(formatUuid);
    const undo: Undo = {
      action: '/inbox/bulk',
      fields: [...inverse, ['undone', 'true'], ['q', line], ...changed.map(idField)],
    };
    const isUndone = isTicked(typed, 'undone');
    const to = `${back}${nearest(shown, selected)}`;
    if (isUndone || changed.length === 0)
      redirect(response, to, isUndone ? 'changed_back' : 'changed');
    else redirect(response, to, 'changed', undo);
  }
}

const idField = (id: string): [string, string] => ['id', id];

/** Names the row that takes the place of those that were selected: the one below, else the one above. */
function nearest(shown: readonly string[], selected: readonly string[]): string {
  const last = Math.max(...selected.map((id) => shown.indexOf(id)));
  if (last < 0) return '';
  const isLeft = (id: string) => id !== '' && !selected.includes(id);
  const row = shown.slice(last + 1).find(isLeft) ?? shown.slice(0, last).findLast(isLeft);
  return row === undefined ? '' : `#s-${row}`;
}
