import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { SetPreviewDto } from '../../forms/dto/preview.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { decodeLearnt, decodePreview, encodePreview } from '../../forms/model/preview-fields.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { FormHeads } from '../form-head/form-heads.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, isTicked, problemsOf, textsOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { fieldsChosen, fieldsOffered, samplesOf } from './row-preview.js';
import { RowPreviewPage } from './row-preview.page.js';
import { SentFields } from '../rows/sent-fields.js';

/** Serves the page that chooses what rows of the inbox show. */
@WebController('forms/:identifier/preview')
export class RowPreviewPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly sent: SentFields,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** Show the fields of a form, which of them rows show, and what that makes of the newest submissions. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const newest = await this.sent.newest(principal, identifier);
    const fields = fieldsOffered(decodePreview(form.previewFields), newest);
    const samples = samplesOf(form.previewFields, newest);
    const frame = await this.frames.of(request, response);
    const learnt = decodeLearnt(form.previewFields)?.fields ?? [];
    sendPage(
      response,
      RowPreviewPage({
        frame,
        form: await this.heads.of(principal, form),
        fields,
        samples,
        learnt,
        problems: [],
      }),
    );
  }

  /** Set which fields rows show, or have them chosen. */
  @Post()
  @Requires('forms:write')
  async choose(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const chosen = isTicked(typed, 'chosen_for_me')
      ? null
      : fieldsChosen(textsOf(typed, 'name'), textsOf(typed, 'place'));
    try {
      const { fields } = await checked(SetPreviewDto, { fields: chosen });
      await this.forms.setExtras(principal, identifier, { previewFields: encodePreview(fields) });
      redirect(response, `/forms/${identifier}/preview`, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      const newest = await this.sent.newest(principal, identifier);
      const fields = fieldsOffered(chosen, newest);
      const samples = samplesOf(form.previewFields, newest);
      const frame = await this.frames.of(request, response);
      const page = RowPreviewPage({
        frame,
        form: await this.heads.of(principal, form),
        fields,
        samples,
        learnt: [],
        problems,
      });
      sendPage(response, page, UNPROCESSABLE);
    }
  }
}
