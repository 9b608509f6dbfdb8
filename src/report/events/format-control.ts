// Formats what a person asked of a run, and when it was done.
import type { FactOf } from '../../event.ts';
import { formatCount } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const controlFormats = {
  intervention: formatIntervention,
  paused: () => [
    line('warn', 'Paused: no session is running and all timers are stopped. You can edit the plan now.'),
    line('dim', 'continue with: pawl continue', 1),
  ],
  'notes-delivered': deliveredLines,
} satisfies Formats;

function formatIntervention(fact: FactOf<'intervention'>): readonly Line[] {
  const { kind, task, note, said, text, by } = fact;
  switch (kind) {
    case 'pause':
      return [
        line(
          'warn',
          fact.now
            ? 'Pausing: the running session is interrupted; its work is kept'
            : 'Pausing: the running session finishes its turn, then nothing new starts',
        ),
      ];
    case 'continue':
      return [line('plain', 'Continuing, as asked')];
    case 'stop':
      return [line('warn', 'Stop requested')];
    case 'steer':
      return [line('plain', `Note ${note} (${formatTarget(fact)}): ${said}`)];
    case 'skip':
      return [line('warn', `Task ${task} will be skipped, as asked`)];
    case 'retry':
      return [line('plain', `Task ${task} gets new attempts, as asked`)];
    case 'tick':
      return [line('warn', `! Task ${task} was ticked by hand: closed, but not checked by pawl`)];
    case 'answer':
      return [line('plain', `Task ${task} was answered: ${said}`)];
    // The resumption says how.
    case 'rerun':
      return [];
  }
  return [line('plain', `Intervention${by === undefined ? '' : ` by ${by}`}: ${text}`)];
}

export function deliveredLines({
  session,
  notes = [],
}: Readonly<{ session: number; notes?: readonly number[] | undefined }>): readonly Line[] {
  return notes.length === 0 ? [] : [line('plain', `Session ${session} was given ${formatNotes(notes)}`, 1)];
}

function formatNotes(notes: readonly number[]): string {
  const [last, ...others] = [...notes].reverse();
  if (others.length === 0) return `note ${last ?? ''}`.trimEnd();
  return notes.length > 4
    ? formatCount(notes.length, 'note')
    : `notes ${others.reverse().join(', ')} and ${last}`;
}

function formatTarget({ task, now }: FactOf<'intervention'>): string {
  const whose = task === undefined ? '' : ` of task ${task}`;
  return now
    ? `to the running session${whose}, or the next one if it has ended`
    : `to the next session${whose}`;
}
