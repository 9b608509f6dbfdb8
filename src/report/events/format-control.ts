// Words what a person asked of a run, and when the run had done so.
import type { FactOf } from '../../event.ts';
import { formatCount, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';

type ControlFact =
  | FactOf<'pause-asked'>
  | FactOf<'paused'>
  | FactOf<'continued'>
  | FactOf<'stop-asked'>
  | FactOf<'note-left'>
  | FactOf<'notes-delivered'>
  | FactOf<'skip-asked'>
  | FactOf<'task-skipped'>
  | FactOf<'retry-asked'>;

/** The lines of one fact about what a person asked. */
export function formatControl(fact: ControlFact): readonly Line[] {
  switch (fact.type) {
    case 'pause-asked':
      return [
        line(
          'warn',
          fact.now
            ? 'Pausing: a running session is interrupted, its work stays'
            : 'Pausing: a running session may finish its turn, then nothing new starts',
        ),
      ];
    case 'paused':
      return [
        line('warn', 'Paused: nothing works, no clock runs, and the plan may be edited'),
        line('dim', 'go on with: pawl continue', 1),
      ];
    case 'continued':
      return [line('plain', 'Going on, as a person asked')];
    case 'stop-asked':
      return [line('warn', 'A person asked the run to stop')];
    case 'note-left':
      return [line('plain', `Note ${fact.note} ${formatTarget(fact)}: ${fact.text}`)];
    case 'notes-delivered':
      return [line('plain', `Told to the running session (${fact.session}): ${formatNotes(fact.notes)}`)];
    case 'skip-asked':
      return [line('warn', `Task ${fact.task} is to be passed over, as a person asked`)];
    case 'task-skipped':
      return [
        line('warn', `Task ${fact.task} is skipped and stays open; take it up with: pawl retry ${fact.task}`),
        ...(fact.rescue === undefined
          ? []
          : [line('dim', `its work is kept: pawl rescue show ${shortOid(fact.rescue)}`, 1)]),
      ];
    case 'retry-asked':
      return [line('plain', `Task ${fact.task} gets new attempts, as a person asked`)];
  }
}

/** Notes by their numbers: `note 2`, `notes 2 and 3`. */
export function formatNotes(notes: readonly number[]): string {
  const [last, ...others] = [...notes].reverse();
  if (others.length === 0) return `note ${last ?? ''}`.trimEnd();
  return notes.length > 4
    ? formatCount(notes.length, 'note')
    : `notes ${others.reverse().join(', ')} and ${last}`;
}

function formatTarget({ task, now }: FactOf<'note-left'>): string {
  const whose = task === undefined ? '' : ` of task ${task}`;
  return now ? `for the running session${whose}, else the next` : `for the next session${whose}`;
}
