import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { SetFieldLabelsDto } from '../../forms/dto/set-field-labels.dto.js';
import { LABEL_MAX, LABELS_MAX } from '../../forms/model/field-labels.js';
import { fieldLabel } from '../../forms/model/field-label.js';
import { FormsService } from '../../forms/forms.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { FormHeads } from '../form-head/form-heads.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, problemsOf, textsOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { fieldsOf, fieldsTyped, labelsTyped } from './labels.js';
import { LabelsPage } from './labels.page.js';
import { fieldsSent, SentFields } from '../rows/sent-fields.js';

/** Serves the page that names and orders the fields of a form. */
@WebController('forms/:identifier/labels')
export class LabelPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly sent: SentFields,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** Show the fields of a form with their labels. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const sent = fieldsSent(await this.sent.newest(principal, identifier));
    const fields = fieldsOf(form.labels, sent).slice(0, LABELS_MAX);
    const frame = await this.frames.of(request, response);
    sendPage(
      response,
      LabelsPage({
        frame,
        form: await this.heads.of(principal, form),
        fields,
        problems: [],
        labelMax: LABEL_MAX,
      }),
    );
  }

  /** Change the labels of the fields and their order. */
  @Post()
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const columns = ['name', 'label', 'place'].map((column) => textsOf(typed, column));
    const [names = [], labels = [], places = []] = columns;
    const fields = fieldsTyped(names, labels, places);
    try {
      const input = { labels: labelsTyped(fields, fieldLabel) };
      const given = SetFieldLabelsDto.labels(await checked(SetFieldLabelsDto, input));
      await this.forms.setExtras(principal, identifier, { fieldLabels: given.encode() });
      redirect(response, `/forms/${identifier}/labels`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      const frame = await this.frames.of(request, response);
      const page = LabelsPage({
        frame,
        form: await this.heads.of(principal, form),
        fields,
        problems,
        labelMax: LABEL_MAX,
      });
      sendPage(response, page, UNPROCESSABLE);
    }
  }
}
