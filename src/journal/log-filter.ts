// Selects events of a run: those of one task, or since a time.
import type { Event, Stamped } from '../event.ts';

/** `since`: epoch milliseconds. */
export type LogFilter = Readonly<{ task?: string | undefined; since?: number | undefined }>;

/** To be called with every event, in order. */
export function filterEvents({ task, since }: LogFilter): (event: Stamped<Event>) => boolean {
  const sessions = new Set<number>();
  const isOfTask = (event: Stamped<Event>): boolean => {
    if ('task' in event && event.task !== undefined) {
      const isIts = event.task === task;
      if (isIts && event.type === 'session-started') sessions.add(event.session);
      return isIts;
    }
    return 'session' in event && event.session !== undefined && sessions.has(event.session);
  };
  return (event) => {
    // Learns from the events it rejects, too.
    const isIts = task === undefined || isOfTask(event);
    return isIts && (since === undefined || Date.parse(event.at) >= since);
  };
}

/** A past moment: `30m` ago; `02:30`, the last time it was that; `2026-11-22T02:30`. Undefined otherwise. */
export function parseSince(
  text: string,
  now: Date,
  spanOf: (text: string) => number | undefined,
): number | undefined {
  const span = spanOf(text);
  if (span !== undefined) return now.getTime() - span;
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text.trim());
  if (!clock) {
    const moment = Date.parse(text.trim());
    return Number.isNaN(moment) ? undefined : moment;
  }
  const [, hour = '', minute = '', second = '0'] = clock;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const at = new Date(now);
  at.setHours(Number(hour), Number(minute), Number(second), 0);
  if (at > now) at.setDate(at.getDate() - 1);
  return at.getTime();
}
