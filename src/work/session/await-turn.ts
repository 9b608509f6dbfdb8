// Waits for a turn's end, while a person may stop the session or send a note.
import { aborted } from '../../aborted.ts';
import type { Session } from '../../agent/session/session.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import { sessionFile } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { withinBudget } from '../budget/spending.ts';
import { heldWords } from '../judge/judge.ts';
import type { Held } from '../judge/verdict.ts';
import { stateOf } from '../work.ts';
import { fillNow } from './open-session.ts';
import { notesFor } from './start-session.ts';

/** `task`: it accepts notes. */
type LiveTurn = Readonly<{ session: Session; task?: Task }>;

export type AwaitedTurn = Readonly<{ turn: Turn; halt: Held | undefined }>;

/** One that exceeds a budget ends, too, also while an agent is waited for to hear a note. */
export async function awaitTurn(
  place: Place,
  { session, task }: LiveTurn,
  coming: Promise<Turn>,
): Promise<AwaitedTurn> {
  const turn = withinBudget(place, task, { session, turn: coming });
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const over = turn.then(end, end);
  for (;;) {
    const wake = place.run.wake();
    const held = findHold(place, task);
    const isHalt = held === 'skip' || place.run.state().pause?.now;
    const halt = isHalt ? held : task && (await deliverNotes(place, session, task));
    if (isOver) return { turn: await turn, halt: undefined };
    if (halt !== undefined && !place.run.signal.aborted) {
      await session.stop(heldWords[halt]);
      return { turn: await turn, halt };
    }
    await Promise.race([over, aborted(wake)]);
  }
}

async function deliverNotes(place: Place, session: Session, task: Task): Promise<'note' | undefined> {
  const urgent = notesFor(place.run.state(), task.id).fresh.filter(({ now }) => now);
  if (urgent.length === 0) return undefined;
  const { number, marker } = session.plan;
  const texts = urgent.map(({ text }) => text).join('\n\n');
  const prompt = fillNow(place, 'steer', { TASK_ID: task.id, NOTES: texts, NONCE: marker.nonce });
  const notes = urgent.map(({ note }) => note);
  const file = `${sessionFile(place.run.folder, number)}.note-${notes.join('-')}.md`;
  if (!(await session.steer(prompt))) return 'note';
  writeFileAtomic(file, prompt, 0o600);
  place.run.emit({ type: 'notes-delivered', session: number, notes });
  return undefined;
}

/** `pause` lets a running turn finish. */
export function findHold(place: Place, task: Task | undefined): Held | undefined {
  if (task && stateOf(place, task).standing.is === 'skipped') return 'skip';
  return place.run.state().pause ? 'pause' : undefined;
}
