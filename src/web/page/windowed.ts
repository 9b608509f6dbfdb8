// Which rows of a long list are visible: the others need not be in the page.
import { useState } from 'preact/hooks';

/** Rows above and below the visible ones that are already there when somebody scrolls. */
const spare = 8;

/**
 * The first row in the page and the one after the last. `onScroll` belongs to the element that scrolls, at most `heightPx`
 * high.
 */
export function useWindow(count: number, rowPx: number, heightPx: number) {
  const [first, setFirst] = useState(0);
  const from = Math.min(Math.max(0, first - spare), Math.max(0, count - 1));
  return {
    from,
    to: Math.min(count, first + Math.ceil(heightPx / rowPx) + spare),
    onScroll: ({ currentTarget }: { currentTarget: HTMLElement }): void =>
      setFirst(Math.floor(currentTarget.scrollTop / rowPx)),
  };
}
