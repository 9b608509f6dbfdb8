// The keyboard: moving between runs and tasks, the parts of a run, its acts, and help. Ignored while a person types.
import { signal } from '@preact/signals';
import { actsOf, type FormKind, openForm, toggleForm } from './controls.tsx';
import { groups } from './run-list.tsx';
import { tabsOf } from './run-page.tsx';
import { canAct, go, hello, pathOf, route, shown, tasks } from './store.ts';

export const isHelpOpen = signal(false);

export const keyHelp: readonly (readonly [string, string])[] = [
  ['j  k', 'next and previous run, or task'],
  ['Enter', 'open or close it'],
  ['1 … 6', 'parts of a run; in a question, its answers'],
  ['/', 'search'],
  ['g', 'all runs'],
  ['x', 'statistics'],
  ['f', 'the fleet, if there is one'],
  ['s', 'steer'],
  ['p', 'pause'],
  ['c', 'go to what waits for you'],
  ['Esc', 'close, go back'],
  ['?', 'this list'],
];

/** Listens for keys; where the person goes, the help stays behind. */
export function listenToKeys(): void {
  addEventListener('hashchange', () => {
    isHelpOpen.value = false;
  });
  addEventListener('keydown', (event) => {
    const { target, key } = event;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping && key !== 'Escape') return;
    if (press(key)) event.preventDefault();
  });
}

function press(key: string): boolean {
  // The dialog has the keyboard; Escape closes it by itself.
  if (isHelpOpen.value) {
    if (key === '?') isHelpOpen.value = false;
    return key === '?';
  }
  if (key >= '1' && key <= '9') return answer(Number(key) - 1) || openTab(Number(key) - 1);
  switch (key) {
    case 'Escape':
      return leave();
    case '?':
      isHelpOpen.value = true;
      return true;
    case '/':
      return focus('input[type=search]');
    case 'g':
      go('#/');
      return true;
    case 'x':
      go('#/stats');
      return true;
    case 'f':
      if (hello.value?.fleet) go('#/fleet');
      return hello.value?.fleet ?? false;
    case 'j':
      return move(1);
    case 'k':
      return move(-1);
    case 's':
      return act('steer');
    case 'p':
      return act('pause');
    case 'c':
      return focus('.need .options button, .need textarea, .need button, .need a.button');
    default:
      return false;
  }
}

/** Closes the nearest open thing; if nothing is open, goes to the list. */
function leave(): boolean {
  if (openForm.value) openForm.value = undefined;
  else if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body)
    document.activeElement.blur();
  else go('#/');
  return true;
}

function focus(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  found?.scrollIntoView({ block: 'nearest' });
  return found !== null;
}

/** The question that has the focus, or the first one of the list, which shows nothing else that has numbers. */
function answer(at: number): boolean {
  const focused = document.activeElement?.closest('.need');
  const need = focused ?? (route.value.page === 'runs' ? document.querySelector('.need.question') : null);
  const option = need?.querySelectorAll<HTMLElement>('.options button:not(.quiet)')[at];
  option?.click();
  return option !== undefined;
}

function act(kind: FormKind): boolean {
  const card = shown.value;
  if (!card || !canAct.value || !actsOf(card).includes(kind)) return false;
  toggleForm(card.id, kind);
  return true;
}

function openTab(at: number): boolean {
  const card = shown.value;
  const tab = card && tabsOf(card)[at];
  if (!card || !tab) return false;
  go(pathOf(card.id, tab[0]));
  return true;
}

/** Among the visible tasks of a run, else among the runs. */
function move(by: number): boolean {
  const { value } = route;
  const rows = [
    ...document.querySelectorAll<HTMLElement>(
      value.page === 'run' && tasks.value.length > 0 ? '.task-row' : '.runs .row',
    ),
  ];
  if (rows.length === 0) return nextRun(by);
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return true;
}

function nextRun(by: number): boolean {
  const all = groups.value.flatMap(({ list }) => list);
  const here = all.findIndex(({ id }) => id === shown.value?.id);
  const next = all[Math.min(all.length - 1, Math.max(0, here + by))];
  if (next) go(pathOf(next.id));
  return next !== undefined;
}
