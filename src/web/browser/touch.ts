// Lets a thumb work the list: a swipe over a row is what its first button does, a long press selects. Without script
// there are the boxes and buttons.

/** Beside one another rows open by a tap, and keys are near. */
const NARROW = matchMedia('(width < 1000px)');
const CALM = matchMedia('(prefers-reduced-motion: reduce)');
/** How far a finger strays while it means to rest or tap, in CSS pixels. */
const STRAY_PX = 10;
/** How far a row is moved until letting go acts, as a share of its width. */
const FAR = 0.3;
/** How long a press selects after, in milliseconds. */
const LONG_MS = 500;

/** The finger on a row. */
interface Touch {
  row: HTMLElement;
  x: number;
  y: number;
  timer: number;
  /** Element under the row while it moves. */
  under: HTMLElement | null;
  isFar: boolean;
}

let touch: Touch | null = null;
/** Whether the click that may follow is part of what the finger did. */
let isOver = false;

const boxOf = (row: Element) => row.querySelector<HTMLInputElement>('input[name="id"]');
const isSelecting = () => document.querySelector('#list input[name="id"]:checked') !== null;
/** Returns what a swipe presses: nothing in folders where nobody is done. */
const button = () => document.querySelector<HTMLButtonElement>('.bulk-actions button[name="done"]');

function begin({ target, pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent): void {
  end();
  isOver = false;
  const row = (target as Element).closest<HTMLElement>('#list tbody tr');
  if (!row || pointerType !== 'touch' || !isPrimary || !NARROW.matches) return;
  if ((target as Element).closest('input')) return;
  const timer = setTimeout(() => {
    const box = boxOf(row);
    end();
    isOver = true;
    if (box && !box.checked) box.click();
  }, LONG_MS);
  touch = { row, x, y, timer, under: null, isFar: false };
}

function move({ clientX, clientY, isPrimary }: PointerEvent): void {
  if (!touch || !isPrimary) return;
  const [x, y] = [clientX - touch.x, clientY - touch.y];
  if (!touch.under) {
    if (Math.hypot(x, y) < STRAY_PX) return;
    clearTimeout(touch.timer);
    if (Math.abs(y) > Math.abs(x) || isSelecting() || !button()) {
      end();
      return;
    }
    touch.under = putUnder(touch.row);
    isOver = true;
  }
  touch.isFar = Math.abs(x) > touch.row.offsetWidth * FAR;
  touch.under.classList.toggle('far', touch.isFar);
  touch.under.classList.toggle('from-end', x < 0);
  if (!CALM.matches) touch.row.style.translate = `${x}px 0`;
}

/** Says under a row what letting go will do. */
function putUnder(row: HTMLElement): HTMLElement {
  const under = document.createElement('div');
  under.className = 'under';
  under.textContent = button()?.textContent ?? '';
  const panel = row.closest<HTMLElement>('.panel');
  const top = row.getBoundingClientRect().top - (panel?.getBoundingClientRect().top ?? 0);
  under.style.top = `${top}px`;
  under.style.height = `${row.offsetHeight}px`;
  panel?.append(under);
  row.classList.add('swiped');
  return under;
}

function letGo(): void {
  const at = touch;
  end();
  const [box, pressed] = [at?.isFar ? boxOf(at.row) : null, button()];
  // A row that was renewed meanwhile is not the one that was touched.
  if (!box?.isConnected || !pressed) return;
  box.checked = true;
  pressed.form?.requestSubmit(pressed);
}

/** Forgets the finger, as when the browser scrolls with it. */
function end(): void {
  if (!touch) return;
  clearTimeout(touch.timer);
  touch.under?.remove();
  touch.row.classList.remove('swiped');
  touch.row.style.translate = '';
  touch = null;
}

/** Once a row is selected, a tap selects others. */
function tap(event: MouseEvent): void {
  const row = (event.target as Element).closest('#list tbody tr');
  if (!row || (event.target as Element).closest('input')) return;
  const isTouch = (event as PointerEvent).pointerType === 'touch' && NARROW.matches;
  if (!isOver && !(isTouch && isSelecting())) return;
  event.preventDefault();
  event.stopPropagation();
  if (!isOver) boxOf(row)?.click();
  isOver = false;
}

document.documentElement.classList.add('by-touch');
document.addEventListener('pointerdown', begin);
document.addEventListener('pointermove', move);
document.addEventListener('pointerup', letGo);
document.addEventListener('pointercancel', end);
document.addEventListener('click', tap, true);
document.addEventListener('contextmenu', (event) => {
  const isOfFinger = event.pointerType === 'touch' && NARROW.matches;
  if (isOfFinger && (event.target as Element).closest('#list tbody tr')) event.preventDefault();
});

export {};
