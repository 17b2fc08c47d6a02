// Shows in the open frames of a form what is typed, without a click.

/** Pause in typing after which the frames are renewed, in milliseconds. */
const PAUSE_MS = 400;

/** Colors a swatch as its field says. */
function paint({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return;
  const swatch = target.closest('.swatched')?.querySelector('rect');
  swatch?.setAttribute('fill', CSS.supports('color', target.value) ? target.value : 'none');
}

let made = 0;
let timer = 0;

/** Sends the form into a new frame that takes the place of the present one once it is there. */
function renew(fold: Element): void {
  const frames = fold.querySelector('.frames');
  const [button] = fold.querySelectorAll<HTMLButtonElement>('button[formtarget]');
  const present = frames?.querySelector('iframe');
  if (!frames || !button?.form || !present) return;
  // A frame that shows something already would add a step to the history each time.
  const next = document.createElement('iframe');
  next.name = `preview-${++made}`;
  next.title = present.title;
  next.className = 'coming';
  frames.append(next);
  next.addEventListener('load', () => {
    next.className = '';
    for (const frame of frames.querySelectorAll('iframe')) {
      if (frame === next) break;
      frame.remove();
    }
  });
  for (const each of fold.querySelectorAll<HTMLButtonElement>('button[formtarget]')) {
    each.formTarget = next.name;
  }
  button.form.requestSubmit(button);
}

function renewOpen(form: Element): void {
  for (const fold of form.querySelectorAll('[data-live][open]')) renew(fold);
}

for (const form of document.querySelectorAll('form:has([data-live])')) {
  let isTyped = false;
  form.addEventListener('input', paint);
  form.addEventListener('input', () => {
    isTyped = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      renewOpen(form);
    }, PAUSE_MS);
  });
  for (const fold of form.querySelectorAll('[data-live]')) {
    fold.addEventListener('toggle', () => {
      if (isTyped && fold.hasAttribute('open')) renew(fold);
    });
  }
}

export {};
