// What a run's receipt begins with: what is not proven, and what tasks took from what decides.
import { sayTamper } from '../../event/guard.ts';
import type { RunState } from '../../journal/state.ts';
import { closeOf, isRedByHand } from '../../journal/task-state.ts';
import { type Block, block } from '../text/block.ts';
import { formatList } from '../text/figure.ts';
import type { WorkReport } from './report-work.ts';

export function alarmsOf(state: RunState, tasks: readonly WorkReport[]): readonly Block[] {
  return [...taskAlarms(state, tasks), ...hostAlarm(state), ...tamperAlarm(state)];
}

export function lead(tone: Block['tone'], text: string): Block {
  return block('lead', tone, text);
}

function taskAlarms(state: RunState, tasks: readonly WorkReport[]): readonly Block[] {
  const isRed = ({ id }: WorkReport) => {
    const task = state.tasks.get(id);
    return task !== undefined && isRedByHand(task, state.plan);
  };
  const byHand = tasks.filter(({ standing }) => standing === 'by-hand');
  const alarm = (tone: Block['tone'], of: readonly WorkReport[], words: (names: string) => string) =>
    of.length === 0 ? [] : [lead(tone, words(of.map(({ id, title }) => `Task ${id} (${title})`).join(', ')))];
  return [
    ...alarm('bad', byHand.filter(isRed), (names) => `RED, and ticked by hand: ${names}`),
    ...alarm(
      'warn',
      tasks.filter(({ standing }) => standing === 'unchecked'),
      (names) => `UNCHECKED: ${names} closed without a check that proves it`,
    ),
    ...alarm(
      'warn',
      byHand.filter((task) => !isRed(task)),
      (names) => `Closed by hand, not checked by pawl: ${names}`,
    ),
  ];
}

/** What runs outside once the branch is checked out, merged or opened. */
function hostAlarm({ tasks, fixes }: RunState): readonly Block[] {
  const works = [...tasks.values(), ...fixes.values()];
  const files = new Set(works.flatMap((work) => closeOf(work)?.hostPrograms ?? []));
  if (files.size === 0) return [];
  return [lead('warn', `Adds programs that your machine will run: ${formatList([...files])}`)];
}

const mostNotes = 3;

function tamperAlarm({ tasks }: RunState): readonly Block[] {
  const notes = [...new Set([...tasks.values()].flatMap(({ tamper }) => tamper.map(sayTamper)))];
  if (notes.length === 0) return [];
  const more = notes.length > mostNotes ? [`and ${notes.length - mostNotes} more, below`] : [];
  return [lead('warn', `Look at: ${[...notes.slice(0, mostNotes), ...more].join('; ')}`)];
}
