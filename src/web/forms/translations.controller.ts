import { Get, Post, Query } from '@nestjs/common';
import { RoutesRequire } from '../../accounts/access/index.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { FormsService } from '../../forms/forms.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormNotFound } from '../../forms/model/form.errors.js';
import { settingBodies } from '../../forms/dto/form.dto.js';
import { TRANSLATIONS, type Translations } from '../../forms/model/form-language.js';
import { LANGUAGES, type Language } from '../../languages/words.js';
import { ReadsLong } from '../../platform/http/index.js';
import { Asked, attempt, formPage, goTo, WebController, type PageInput } from '../kit/index.js';
import { checked } from '../parts/index.js';
import { translationTyped } from './settings-typed.js';
import { TranslationPage } from './translations.page.js';

const { Asked: TranslationsDto } = settingBodies(TRANSLATIONS);

/** Serves the sheet of a form's texts in another language. */
@WebController('forms/:identifier/translations')
@RoutesRequire('forms:write')
export class TranslationPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
  ) {}

  /** Show the texts in a language. */
  @Get()
  async show(@Asked() { principal, identifier }: PageInput, @Query('language') language?: string) {
    const form = await this.queries.get(principal, identifier);
    const translation = TRANSLATIONS.of(form).translations?.[known(language)] ?? {};
    return formPage(form, TranslationPage, { of: form, language: known(language), translation, problems: [] });
  }

  /** Change them; without any, visitors get the texts of the form. */
  @Post()
  @ReadsLong()
  async change(@Asked() { principal, identifier, typed }: PageInput, @Query('language') name?: string) {
    const language = known(name);
    const form = await this.queries.get(principal, identifier);
    const typedInto = (now: Form) => translationTyped(typed, TRANSLATIONS.of(now).translations?.[language] ?? {});
    const translation = typedInto(form);
    return attempt(
      async () => {
        await checked(TranslationsDto, { translations: { [language]: translation } });
        await this.forms.change(principal, identifier, (now) => {
          const { [language]: _, ...others } = TRANSLATIONS.of(now).translations ?? {};
          const after = typedInto(now);
          const isEmpty = Object.keys(after).length === 0;
          const translations: Translations = isEmpty ? others : { ...others, [language]: after };
          return TRANSLATIONS.changed(now, {
            translations: Object.keys(translations).length > 0 ? translations : null,
          });
        });
        return goTo(`/forms/${identifier}/settings#visitors`, 'saved');
      },
      (problems) => formPage(form, TranslationPage, { of: form, language, translation, problems }),
    );
  }
}

/** @throws FormNotFound for a language that is none of ours */
function known(name = 'en'): Language {
  const language = LANGUAGES.find((each) => each === name);
  if (!language) throw new FormNotFound();
  return language;
}
