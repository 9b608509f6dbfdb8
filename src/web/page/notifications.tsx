// The browser's notifications, while the page is hidden.
import { computed, effect, signal } from '@preact/signals';
import type { Waiting } from '../view.ts';

const key = 'pawl-notify';

const isWanted = signal(localStorage.getItem(key) === 'yes');
const isAllowed = signal('Notification' in window && Notification.permission === 'granted');

export const notifies = computed(() => isWanted.value && isAllowed.value);

/** A second click ends it. */
async function toggle(): Promise<void> {
  if (!isAllowed.value) isAllowed.value = (await Notification.requestPermission()) === 'granted';
  isWanted.value = isAllowed.value && !isWanted.value;
  localStorage.setItem(key, isWanted.value ? 'yes' : 'no');
}

export function tellNeeds(waiting: { value: readonly Waiting[] }): void {
  let known = new Set<string>();
  effect(() => {
    const keyOf = ({ card, need }: Waiting): string => `${card.id} ${need.kind} ${need.task} ${need.text}`;
    const fresh = waiting.value.filter((one) => !known.has(keyOf(one)));
    known = new Set(waiting.value.map(keyOf));
    if (!document.hidden || !notifies.value) return;
    for (const { card, need } of fresh) {
      const told = new Notification(need.title, { body: card.title, tag: `${card.id} ${need.task ?? ''}` });
      told.onclick = () => {
        window.focus();
        location.hash = `#/run/${encodeURIComponent(card.id)}`;
        told.close();
      };
    }
  });
}

/** Browsers on phones show none for a page. */
export function NotifyButton() {
  if (!('Notification' in window) || Notification.permission === 'denied') return null;
  return (
    <button
      type="button"
      class="quiet desk"
      aria-pressed={notifies.value}
      onClick={() => void toggle()}
      title="A notification of the browser when something waits for you, while this page is open in some tab"
    >
      {notifies.value ? 'Notifies here' : 'Notify me here'}
    </button>
  );
}
