import { Get } from '@nestjs/common';
import { Allows, Principal } from '../../accounts/access/index.js';
import { beginning, meaning, wordsIn } from '../../platform/index.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import { MembersService } from '../../people/members/members.service.js';
import { SavedViewsService } from '../../people/saved-views/saved-views.service.js';
import { FOLDER_NAMES, inboxAddress, inboxOf, inFolder, visitorPath } from '../addresses/folders.js';
import { textOf } from '../parts/index.js';
import { sectionsOf } from '../layout/frames.js';
import { SECTIONS, type SectionName, folderWords, layoutWords } from '../layout/words.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { GoPage, PAGES, type Group, type Place } from './go.page.js';
import { FORM_PLACES, rightsIn } from '../form-head/form-head.js';
import { page, Asked, type PageInput, WebController } from '../kit/index.js';

/** Forms that are named at once; a longer list is read by nobody. */
const FORMS_MAX = 8;
const CLIENTS_MAX = 5;
const PEOPLE_MAX = 5;
/** Forms of which a place is named. */
const PLACED_MAX = 4;

/** Serves where one can go: forms, folders, saved views and pages by their names. */
@WebController('go')
export class GoController {
  constructor(
    private readonly forms: FormQueries,
    private readonly views: SavedViewsService,
    private readonly clients: ClientsService,
    private readonly members: MembersService,
  ) {}

  /** List what has every typed word in its name, and may be opened by whoever asks. */
  @Get()
  @Allows('see')
  async find(@Asked() { principal, signedIn, query: sent }: PageInput) {
    const text = textOf(sent, 'q').trim();
    const sections = sectionsOf(principal, signedIn.isOperator);
    const isMeant = meaning(wordsIn(text));
    const known = await this.forms.identified(principal, [text]);
    const named = await this.forms.named(principal, wordsIn(text), FORMS_MAX + 1);
    const forms = [...known, ...named.filter(({ identifier }) => identifier !== text)];
    const views = await this.views.list(principal);
    const groups: Group[] = [
      {
        name: 'forms',
        places: [
          ...formPlaces(forms.slice(0, FORMS_MAX), sections),
          ...(sections.includes('forms') ? await this.placesOfForms(principal, text) : []),
        ],
      },
      {
        name: 'views',
        places: views
          .map(({ name, line }): Place => ({ name, href: inboxAddress(line), icon: 'eye' }))
          .filter(({ name }) => isMeant(name)),
      },
      { name: 'folders', places: folderPlaces().filter(({ name }) => isMeant(name)) },
      { name: 'pages', places: pagePlaces(sections, signedIn, text) },
      { name: 'clients', places: await this.clientPlaces(principal, text) },
      { name: 'people', places: await this.peoplePlaces(principal, text === '' ? null : isMeant) },
      { name: 'search', places: searchPlaces(text) },
    ];
    const filled = groups.filter(({ places }) => places.length > 0);
    const hasMore = forms.length > FORMS_MAX;
    return page(GoPage, { text, groups: filled, hasMore });
  }

  /** Returns the pages of forms that a text means: some of its words name the page, and the others the form. */
  private async placesOfForms(principal: Principal, text: string) {
    const found: Place[] = [];
    for (const { path, name: hint, words, needs } of text === '' ? [] : FORM_PLACES) {
      const [ofPlace, ofForm] = beginning(wordsIn(text), `${hint} ${words}`);
      if (ofPlace.length === 0) continue;
      for (const form of await this.forms.named(principal, ofForm, PLACED_MAX)) {
        if (needs && !rightsIn(principal, form)[needs]) continue;
        const { name, identifier } = form;
        found.push({ name, hint, href: `/forms/${identifier}${path}`, icon: 'clipboard-list' });
      }
    }
    return found;
  }

  /** Returns the pages of the clients that a text means. */
  private async clientPlaces(principal: Principal, text: string): Promise<Place[]> {
    if (text === '' || !principal.has('clients:write')) return [];
    const found = await this.clients.named(principal, wordsIn(text), CLIENTS_MAX, 0);
    return found.map(({ client: { id, name } }) => {
      return { name, href: `/clients/${id}`, icon: 'users' };
    });
  }

  /** Returns the pages of the members that a text means. */
  private async peoplePlaces(principal: Principal, isMeant: ((name: string) => boolean) | null): Promise<Place[]> {
    if (isMeant === null || !principal.has('people:write')) return [];
    const members = await this.members.listAll(principal);
    return members
      .filter(({ person: { name, email } }) => isMeant(`${name} ${email}`))
      .slice(0, PEOPLE_MAX)
      .map(({ person: { id, name, email }, membership: { clientId } }) => {
        const place = clientId === null ? '' : `/clients/${clientId}`;
        return { name, href: `${place}/people/${id}`, icon: 'contact-round', hint: email };
      });
  }
}

function formPlaces(forms: readonly { name: string; identifier: string }[], sections: readonly SectionName[]) {
  const hasPages = sections.includes('forms');
  return forms.flatMap(({ name, identifier }): Place[] => [
    { name, href: inboxOf(identifier), icon: 'inbox', hint: layoutWords.nav.inbox },
    ...(hasPages ? [{ name, href: `/forms/${identifier}`, icon: 'clipboard-list', hint: 'Overview' } as const] : []),
  ]);
}

function folderPlaces(): Place[] {
  return FOLDER_NAMES.map((folder) => ({
    name: folderWords[folder],
    href: inboxAddress(inFolder('', folder)),
    icon: 'inbox',
  }));
}

/** Returns the pages that a text means of those that the frame offers, and of those that everybody may open. */
function pagePlaces(sections: readonly SectionName[], { principal, view }: SignedIn, text: string): Place[] {
  const isOpen = {
    ...{ statistics: true, views: true, account: !view },
    'new-form': principal?.clientId === null && principal.has('forms:create'),
  };
  const names = Object.keys(PAGES) as (keyof typeof PAGES)[];
  const known: (Place & { words: string })[] = [
    ...sections.map((path) => {
      const { title: name, icon, words } = SECTIONS[path];
      return { name, icon, words, href: `/${path}` };
    }),
    ...names.filter((path) => isOpen[path]).map((path) => ({ ...PAGES[path], href: `/${path}` })),
  ];
  const isMeant = meaning(wordsIn(text));
  return known
    .filter(({ name, words }) => isMeant(name) || beginning(wordsIn(text), `${name} ${words}`)[1].length === 0)
    .map(({ words: _, ...place }) => place);
}

function searchPlaces(text: string): Place[] {
  if (text === '') return [];
  const visitor = visitorPath(text);
  return [
    ...(visitor === null ? [] : [{ name: `Everything from ${text}`, href: visitor, icon: 'user' } as const]),
    { name: `Search submissions for “${text}”`, href: inboxAddress(text), icon: 'search' },
  ];
}
