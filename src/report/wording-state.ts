// Words in which state a run is and since when, and in which tone.
import { wordMoment, wordMs } from './figure.ts';
import type { Tone } from './line.ts';
import type { Standing } from './standing.ts';
import { wordExit } from './wording-run.ts';

/** The state in words: `working, last sign 3 s ago`. */
export function wordState(
  standing: Standing,
  { nowMs, timeZone }: Readonly<{ nowMs: number; timeZone?: string }>,
): string {
  switch (standing.state) {
    case 'working':
      return `working, last sign ${wordAgo(standing.lastAt, nowMs)}`;
    case 'waiting':
      return `waiting until ${wordMoment(Date.parse(standing.waitingUntil ?? ''), timeZone)}: ${standing.waitingFor ?? ''}`;
    case 'paused':
      return `paused ${wordAgo(standing.lastAt, nowMs)}; pawl continue goes on`;
    case 'stopped':
      return `stopped ${wordAgo(standing.lastAt, nowMs)}, not finished${standing.exit ? `: ${wordExit(standing.exit)}` : ''}`;
    case 'died':
      return `ended without a word ${wordAgo(standing.lastAt, nowMs)} (killed, or the machine went down); it can go on`;
    case 'finished':
      return `finished ${wordAgo(standing.lastAt, nowMs)}: ${wordExit(standing.exit ?? 0)}`;
  }
}

/** How it is shown. */
export function toneOf(standing: Standing): Tone {
  switch (standing.state) {
    case 'working':
      return 'plain';
    case 'waiting':
    case 'paused':
      return 'warn';
    case 'stopped':
    case 'died':
      return 'bad';
    case 'finished':
      return standing.exit === 0 ? 'good' : 'warn';
  }
}

/** How long ago an instant was. */
export function wordAgo(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at);
  return Number.isFinite(ms) ? `${wordMs(Math.max(0, ms))} ago` : 'at an unknown time';
}
