// What every reporter is: something that takes events in order and is closed once. It decides nothing.
import type { Event, Stamped } from '../event.ts';

export interface Reporter {
  /** Shows an event, or passes over it. */
  take(event: Stamped<Event>): void;
  /** Leaves the screen as it should be found; nothing is taken afterwards. */
  close(): void;
}
