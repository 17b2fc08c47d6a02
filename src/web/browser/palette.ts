// Shows the page that finds others over the present one, and what can be done with the submission on it. Without
// script that page is one by itself.

import { load } from './pages.js';

/** Pause in typing after which is asked, in milliseconds. */
const PAUSE_MS = 120;
/** Selects the actions for the submission on the page. */
const ACTIONS = '#submission :is(#marks, [action$="/assignee"]) button[name]';

interface Option {
  text: string;
  hint: string;
  run: () => void;
}

let asked = 0;

/** @param address of the page that finds others */
export async function openPalette(address: string): Promise<void> {
  const page = await load(address);
  const form = page?.querySelector<HTMLFormElement>('#go');
  if (!page || !form) throw new Error('There is nowhere to go.');
  new Palette(address, page, form).open();
}

class Palette {
  private readonly dialog = make('dialog', { id: 'palette' });
  private readonly list = make('div', { id: 'palette-list', role: 'listbox' });
  private readonly state = make('p', { class: 'hint', role: 'status' });
  private readonly input: HTMLInputElement;
  private readonly actionsName: string;
  private options: { element: HTMLElement; run: () => void }[] = [];
  private at = 0;
  private timer = 0;
  /** Text whose results are shown. */
  private sought = '';

  constructor(
    private readonly address: string,
    private readonly page: Document,
    form: HTMLFormElement,
  ) {
    const title = page.querySelector('h1')?.textContent ?? '';
    const label = form.querySelector('label')?.textContent ?? '';
    this.actionsName = form.dataset.actions ?? '';
    this.dialog.setAttribute('aria-label', title);
    this.list.setAttribute('aria-label', title);
    this.input = make('input', {
      type: 'text',
      role: 'combobox',
      'aria-label': label,
      placeholder: label,
      'aria-autocomplete': 'list',
      'aria-expanded': 'true',
      'aria-controls': 'palette-list',
      autocomplete: 'off',
      maxlength: '255',
    });
    this.dialog.append(this.input, this.state, this.list);
    this.input.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.ask(), PAUSE_MS);
    });
    this.input.addEventListener('keydown', (event) => {
      this.take(event);
    });
    this.dialog.addEventListener('click', ({ target }) => {
      if (target === this.dialog) this.dialog.close();
    });
    this.dialog.addEventListener('close', () => {
      clearTimeout(this.timer);
      this.dialog.remove();
    });
  }

  open(): void {
    document.body.append(this.dialog);
    this.show(this.page);
    this.dialog.showModal();
    this.input.focus();
  }

  private async ask(): Promise<void> {
    const number = ++asked;
    const { value } = this.input;
    const query = new URLSearchParams({ q: value });
    const page = await load(`${this.address}?${query.toString()}`);
    if (!page || number !== asked) return;
    this.sought = value;
    this.show(page);
  }

  /** Shows what the page has found, below what can be done here. */
  private show(page: Document): void {
    this.list.replaceChildren();
    this.options = [];
    this.add(this.actionsName, this.actions(document.querySelectorAll(ACTIONS)));
    // How pages look is chosen by what is typed alone.
    const looks = this.input.value === '' ? [] : document.querySelectorAll('.display [role="group"]');
    for (const group of looks) this.add(group.ariaLabel ?? '', this.actions(group.querySelectorAll('button')));
    for (const section of page.querySelectorAll('#found section')) {
      const links = [...section.querySelectorAll('a')];
      const places = links.map((link) => ({
        text: link.querySelector('[dir]')?.textContent ?? '',
        hint: link.querySelector('.hint')?.textContent ?? '',
        run: () => {
          location.assign(link.href);
        },
      }));
      this.add(section.querySelector('h2')?.textContent ?? '', places);
    }
    this.state.textContent = page.querySelector('#found-count')?.textContent ?? '';
    const isEmpty = this.options.length === 0;
    this.list.hidden = isEmpty;
    this.input.setAttribute('aria-expanded', String(!isEmpty));
    this.moveTo(0);
  }

  private actions(buttons: Iterable<HTMLButtonElement>): Option[] {
    const words = this.input.value.toLowerCase().split(/\s+/);
    return [...buttons]
      .map((button) => ({ text: button.textContent.trim(), hint: '', run: () => button.form?.requestSubmit(button) }))
      .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  }

  private add(name: string, options: Option[]): void {
    if (options.length === 0) return;
    const id = `palette-group-${this.list.childElementCount}`;
    const group = make('div', { role: 'group', 'aria-labelledby': id });
    const title = make('div', { id, class: 'hint', role: 'presentation' });
    title.textContent = name;
    group.append(title);
    for (const { text, hint, run } of options) {
      const element = make('div', { id: `palette-${this.options.length}`, role: 'option' });
      const label = make('span', { dir: 'auto' });
      const aside = make('span', { class: 'hint' });
      label.textContent = text;
      aside.textContent = hint;
      element.append(label, aside);
      element.addEventListener('click', () => {
        this.choose(run);
      });
      group.append(element);
      this.options.push({ element, run });
    }
    this.list.append(group);
  }

  private take(event: KeyboardEvent): void {
    const { length } = this.options;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && length > 0) this.moveTo((this.at + step + length) % length);
    else if (event.key === 'Enter') void this.enter();
    else return;
    event.preventDefault();
  }

  /** Chooses the selected one, or the first of what the last letters find. */
  private async enter(): Promise<void> {
    clearTimeout(this.timer);
    if (this.input.value !== this.sought) await this.ask();
    const chosen = this.options[this.at];
    if (chosen && this.dialog.open && this.input.value === this.sought) this.choose(chosen.run);
  }

  private moveTo(at: number): void {
    this.at = at;
    this.options.forEach(({ element }, index) => {
      element.setAttribute('aria-selected', String(index === at));
    });
    const { element } = this.options[at] ?? {};
    this.input.setAttribute('aria-activedescendant', element?.id ?? '');
    element?.scrollIntoView({ block: 'nearest' });
  }

  private choose(run: () => void): void {
    this.dialog.close();
    run();
  }
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
