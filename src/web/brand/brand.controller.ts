import { Get, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { RoutesRequire, Principal } from '../../accounts/access/index.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { ChangeBrandDto } from '../../clients/brands/brand.dto.js';
import { given, ReadsUpload } from '../../platform/http/index.js';
import { ChangeAccountDto } from '../../accounts/account.dto.js';
import { Config, type FieldProblem } from '../../platform/index.js';
import { checked, isTicked, textOf } from '../parts/index.js';
import { BrandPage } from './brand.page.js';
import { attempt, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';

/** Limits of an upload: above the limit of a logo, so that a page can name that. */
const UPLOAD = { fileSize: 1024 * 1024, files: 1, fields: 10, fieldSize: 4096, parts: 12 };

/** Serves the pages about how the account looks to its clients and to visitors. */
@WebController('brand')
@RoutesRequire('people:write')
export class BrandPagesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly brands: BrandsService,
    private readonly config: Config,
  ) {}

  /** Show how the account looks. */
  @Get()
  async show(@Asked() { principal }: PageInput) {
    const { name, email } = await this.accounts.get(principal.accountId);
    const { colour, replyTo } = await this.brands.of(principal);
    const typed = { name, email: email ?? '', colour: colour ?? '', replyTo: replyTo ?? '' };
    return this.page(principal, typed, []);
  }

  /** Change it. */
  @Post()
  @ReadsUpload()
  @UseInterceptors(FileInterceptor('brand.logo', { limits: UPLOAD }))
  async change(@Asked() { principal, typed: sent }: PageInput, @UploadedFile() file: { buffer: Buffer } | undefined) {
    const typed = {
      name: textOf(sent, 'account.name'),
      email: textOf(sent, 'account.email'),
      colour: textOf(sent, 'brand.colour'),
      replyTo: textOf(sent, 'brand.reply_to'),
    };
    return attempt(
      async () => {
        const account = { name: typed.name, email: orNull(typed.email) };
        const brand = { colour: orNull(typed.colour), reply_to: orNull(typed.replyTo) };
        const details = given((await checked(ChangeAccountDto, { account })).account);
        const changes = ChangeBrandDto.changes(await checked(ChangeBrandDto, { brand }));
        const logo = file && file.buffer.length > 0 ? { logo: file.buffer } : null;
        const removed = isTicked(sent, 'remove_logo') ? { logo: null } : null;
        await this.brands.change(principal, { ...changes, ...removed, ...logo }, 'brand.logo');
        await this.accounts.changeAs(principal, details);
        return goTo('/brand', 'saved');
      },
      (problems) => this.page(principal, typed, problems),
    );
  }

  private async page(
    principal: Principal,
    typed: { name: string; email: string; colour: string; replyTo: string },
    problems: FieldProblem[],
  ) {
    const { logoPath } = await this.brands.of(principal);
    const signInUrl = this.config.baseUrl + (await this.brands.signInPath(principal));
    return page(BrandPage, { typed, logoPath, signInUrl, problems });
  }
}

function orNull(text: string) {
  return text.trim() === '' ? null : text;
}
