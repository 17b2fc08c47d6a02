import { Get, Post } from '@nestjs/common';
import { Allows, Requires, RoutesRequire } from '../../accounts/access/access.decorators.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { FormsService } from '../../forms/forms.service.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Clock } from '../../platform/kernel/time.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { SpamStatisticsService } from '../../statistics/spam-statistics.service.js';
import { DestinationViews } from '../destinations/destination-views.js';
import { attempt, formPage, goTo } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { textOf } from '../parts/typed.js';
import { SettingsPage } from './settings.page.js';
import {
  changeTyped,
  inOrder,
  seen,
  settingsShown,
  settingsTyped,
  type SettingTexts,
} from './settings-typed.js';

/** Serves the settings of a form on one page, saved in one transaction, and the buttons below them. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class SettingsPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly destinations: DestinationsService,
    private readonly views: DestinationViews,
    private readonly spam: SpamStatisticsService,
    private readonly clock: Clock,
  ) {}

  /** Show all settings. */
  @Get('settings')
  async show(@Asked() asked: PageInput) {
    return this.page(asked);
  }

  /** Change those that were typed over, all in one. */
  @Post('settings')
  async change(@Asked() asked: PageInput) {
    const { principal, identifier, typed, signedIn } = asked;
    await this.queries.get(principal, identifier);
    return attempt(
      async () => {
        const change = await changeTyped(typed, signedIn.person.timeZone, principal);
        await this.forms.change(principal, identifier, change);
        return goTo(`/forms/${identifier}/settings`, 'saved');
      },
      (problems) => this.page(asked, settingsTyped(typed), problems),
    );
  }

  private async page(
    { principal, identifier, signedIn }: PageInput,
    typed: SettingTexts = {},
    problems: FieldProblem[] = [],
  ) {
    const form = await this.queries.get(principal, identifier);
    const stored = settingsShown(form, signedIn.person.timeZone);
    const now = this.clock.now();
    const home = await this.destinations.homeOf(principal, identifier);
    const { levels } = await this.spam.latest(principal, identifier, now);
    return formPage(form, SettingsPage, {
      ...{ texts: { ...stored, ...typed }, seen: seen(stored), problems },
      destinations: await this.views.list({ principal, home }),
      fields: inOrder(form.fields.list, typed.order),
      spam: { settings: SpamSettings.of(form), would: levels },
      shut: IntakeGate.of(form).closedFor(form, now)?.message ?? null,
      count: form.submissionCount,
    });
  }

  /** Make a form with the same settings. */
  @Post('duplicates')
  @Requires('forms:create')
  async duplicate(@Asked() { principal, identifier }: PageInput) {
    const { name } = await this.queries.get(principal, identifier);
    const copy = await this.forms.duplicate(principal, identifier, `Copy of ${name}`);
    return goTo(`/forms/${copy.identifier}`, 'form_duplicated');
  }

  /** Delete a form, once its name has been typed. */
  @Post('delete')
  @Allows('erase')
  async delete(@Asked() asked: PageInput) {
    const { principal, identifier, typed } = asked;
    const form = await this.queries.get(principal, identifier);
    if (textOf(typed, 'typed_name').trim() === form.name) {
      await this.forms.delete(principal, identifier);
      return goTo('/forms', 'form_deleted');
    }
    const problem = {
      field: 'typed_name',
      code: 'wrong_name',
      message: 'must match the name of the form exactly.',
    };
    return this.page(asked, {}, [problem]);
  }
}
