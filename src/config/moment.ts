// A future time as people write it: `02:00`, or `2026-11-23T02:00`. In the machine's time zone unless it names another;
// daylight-saving changes are accounted for.

/** The moment, or what is wrong with the text, as the end of a sentence. */
export type Moment = Readonly<{ at: Date } | { mistake: string }>;

/**
 * Parses a moment after `now`; a time of day means its next occurrence. On a day that skips it, as far after the gap as it
 * would be into it.
 */
export function parseMoment(text: string, now: Date): Moment {
  const trimmed = text.trim();
  const time = timeOfDay.exec(trimmed);
  if (time) return nextTime(readClock(time.slice(1)), now);
  const date = dateTime.exec(trimmed);
  return date ? readDate(date, now) : { mistake: 'is neither a time of day nor a date with one' };
}

type Clock = Readonly<{ hour: number; minute: number; second: number }>;

const clockShape = String.raw`(\d{1,2}):(\d{2})(?::(\d{2}))?`;
const timeOfDay = new RegExp(`^${clockShape}$`);
const dateTime = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[Tt]| +)${clockShape} ?([Zz]|[+-]\d{2}:?\d{2})?$`,
);

/** Undefined if no clock shows it. */
function readClock([hour, minute, second = '0']: readonly (string | undefined)[]): Clock | undefined {
  const clock = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  return clock.hour < 24 && clock.minute < 60 && clock.second < 60 ? clock : undefined;
}

/**
 * Clocks are set back by one hour nearly everywhere, by half an hour on Lord Howe Island: what they show then, they show
 * twice.
 */
const twiceMs = [0, 30 * 60_000, 60 * 60_000];

function nextTime(clock: Clock | undefined, now: Date): Moment {
  if (!clock) return { mistake: 'is no time of day' };
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const times = [0, 1].flatMap((days) => {
    const first = new Date(year, month, day + days, clock.hour, clock.minute, clock.second);
    return twiceMs.map((ms) => new Date(first.getTime() + ms)).filter((at) => isSameClock(at, first));
  });
  const at = times.find((time) => time > now);
  return at ? { at } : { mistake: 'does not come in the next two days' };
}

function isSameClock(a: Date, b: Date): boolean {
  return a.getHours() === b.getHours() && a.getMinutes() === b.getMinutes();
}

function readDate([, year, month, day, ...rest]: RegExpExecArray, now: Date): Moment {
  const clock = readClock(rest.slice(0, 3));
  const [y, m, d] = [Number(year), Number(month) - 1, Number(day)];
  const utc = new Date(Date.UTC(y, m, d));
  if (!clock || utc.getUTCMonth() !== m || utc.getUTCDate() !== d)
    return { mistake: 'is no date with a time' };
  const { hour, minute, second } = clock;
  const zone = rest[3];
  const at =
    zone === undefined
      ? new Date(y, m, d, hour, minute, second)
      : new Date(Date.UTC(y, m, d, hour, minute, second) - offsetMs(zone));
  return at > now ? { at } : { mistake: 'has passed already' };
}

/** How far a zone's clocks are ahead of UTC. */
function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -ms : ms;
}
