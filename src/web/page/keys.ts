// The keyboard, ignored while a person types.
import { actsOf, type FormKind, openForm, toggleForm } from './acts.tsx';
import { tabsOf } from './run-page.tsx';
import { canAct, go, pathOf, shown, shownId } from './store.ts';

export const keyHelp: readonly (readonly [string, string])[] = [
  ['j  k', 'next and previous run, or task'],
  ['Enter', 'open or close it'],
  ['1 … 9', 'parts of a run; in a question, its answers'],
  ['/', 'search'],
  ['g', 'all runs'],
  ['s', 'steer'],
  ['p', 'pause'],
  ['c', 'go to what waits for you'],
  ['Esc', 'close, go back'],
  ['?', 'this list'],
];

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const { target, key } = event;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping && key !== 'Escape') return;
    // This list has the keyboard; Escape closes it.
    if (document.querySelector(':popover-open') && key !== '?') return;
    if (press(key)) event.preventDefault();
  });
}

function press(key: string): boolean {
  if (key >= '1' && key <= '9') return answer(Number(key) - 1) || openTab(Number(key) - 1);
  return keys[key]?.() ?? false;
}

const keys: Readonly<Record<string, () => boolean>> = {
  Escape: leave,
  '?': () => document.getElementById('keys')?.togglePopover() !== undefined,
  '/': () => focus(document.querySelector<HTMLElement>('input[type=search]')),
  g: () => go('#/'),
  j: () => move(1),
  k: () => move(-1),
  s: () => act('steer'),
  p: () => act('pause'),
  c: () =>
    focus(document.querySelector<HTMLElement>('.need :is(.options button, textarea, button, a.button)')),
};

function leave(): boolean {
  const { activeElement: focused, body } = document;
  if (openForm.value) openForm.value = undefined;
  else if (focused instanceof HTMLElement && focused !== body) focused.blur();
  else go('#/');
  return true;
}

function focus(found: HTMLElement | null | undefined): boolean {
  found?.focus();
  found?.scrollIntoView({ block: 'nearest' });
  return !!found;
}

/** Answers the focused question, or the first of the list, which has no other numbers. */
function answer(at: number): boolean {
  const focused = document.activeElement?.closest('.need');
  const need = focused ?? (shownId.value === '' ? document.querySelector('.need.question') : null);
  const option = need?.querySelectorAll<HTMLElement>('.options button:not(.quiet)')[at];
  option?.click();
  return option !== undefined;
}

function act(kind: FormKind): boolean {
  const card = shown.value;
  if (!card || !canAct.value || !actsOf(card).includes(kind)) return false;
  toggleForm({ id: card.id, kind, at: 'run' });
  return true;
}

function openTab(at: number): boolean {
  const card = shown.value;
  const tab = card && tabsOf(card)[at];
  return tab !== undefined && go(pathOf(card?.id ?? '', tab[0]));
}

function move(by: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('.task-row[data-task], .runs .row')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  return focus(rows[Math.min(rows.length - 1, Math.max(0, at + by))]);
}
