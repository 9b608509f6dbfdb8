// Formats a run's state: what it is doing, since when, and with which tone.

import { formatExit } from '../events/format-run.ts';
import { formatMoment, formatMs } from '../text/figure.ts';
import type { Tone } from '../text/line.ts';
import type { Standing } from './standing.ts';

/** The state in words: `working, last sign 3 s ago`. */
export function formatState(standing: Standing, nowMs: number): string {
  switch (standing.state) {
    case 'working':
      if (standing.pausing) return 'pausing after the current session; pawl continue ends the pause';
      return `working, last sign ${formatAgo(standing.lastAt, nowMs)}`;
    case 'waiting':
      if (standing.questions.length > 0) return `waiting for ${standing.waitingFor ?? 'an answer'}`;
      return `waiting until ${formatMoment(Date.parse(standing.waitingUntil ?? ''))}: ${standing.waitingFor ?? ''}`;
    case 'paused':
      return `paused ${formatAgo(standing.lastAt, nowMs)}; pawl continue goes on`;
    case 'stopped':
      return `stopped ${formatAgo(standing.endedAt ?? standing.lastAt, nowMs)}, not finished${standing.exit ? `: ${formatExit(standing.exit)}` : ''}`;
    case 'died':
      return `ended without a word ${formatAgo(standing.lastAt, nowMs)} (killed, or the machine went down); it can go on`;
    case 'discarded':
      return `discarded ${formatAgo(standing.endedAt ?? standing.lastAt, nowMs)}; its work is kept`;
    case 'finished':
      return `finished ${formatAgo(standing.endedAt ?? standing.lastAt, nowMs)}: ${formatExit(standing.exit ?? 0)}`;
  }
}

/** How it is shown. */
export function toneOf(standing: Standing): Tone {
  switch (standing.state) {
    case 'working':
      return 'plain';
    case 'waiting':
    case 'paused':
    case 'discarded':
      return 'warn';
    case 'stopped':
    case 'died':
      return 'bad';
    case 'finished':
      return standing.exit === 0 ? 'good' : 'warn';
  }
}

/** How long ago an instant was. */
export function formatAgo(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at);
  return Number.isFinite(ms) ? `${formatMs(Math.max(0, ms))} ago` : 'at an unknown time';
}
