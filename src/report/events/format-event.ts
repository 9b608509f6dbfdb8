// Formats every event as lines that can be copied.
import { type Event, type Fact, factName, type OfLane } from '../../event.ts';
import { type Block, block, piecesOf } from '../text/block.ts';
import { formatList } from '../text/figure.ts';
import { type Line, line, prefixLine, speakerOf } from '../text/line.ts';
import { formatActivity } from './format-activity.ts';
import { formatGreen } from './format-check.ts';
import { guardFormats } from './format-guard.ts';
import { carryFormats, forgeFormats, runFormats } from './format-run.ts';
import { controlFormats, dialogueFormats, sessionFormats } from './format-session.ts';
import { taskFormats } from './format-task.ts';
import { reviewFormats, workFormats } from './format-work.ts';
import { type FormatOf, findSession, type RenderContext } from './render-context.ts';

/** None for what only `verbose` shows. */
export function formatEvent(event: Event & OfLane, context: RenderContext): readonly Line[] {
  const { verbose } = context;
  const lines = event.type === 'activity' ? formatActivity(event, context) : formatFact(event, context);
  const green = verbose ? [] : formatGreen(context, event);
  const shown = verbose && lines.length === 0 ? [formatFields(event)] : lines;
  return nameSpeaker(context, event, [...green, ...shown]);
}

/** One without an entry here is told by words of its own. */
function formatFact(fact: Fact, context: RenderContext): readonly Line[] {
  const format = formats[factName(fact)];
  if (format) return [format(fact, context)].flat();
  return 'text' in fact ? [line('warn', `Note: ${fact.text}`)] : [];
}

/** In the words in which they were told as they happened. */
export function retell(...facts: readonly (Fact | undefined)[]): readonly Block[] {
  return facts
    .flatMap((fact) => (fact ? formatFact(fact, { verbose: false }) : []))
    .map(({ tone, text }) => block('item', tone, ...piecesOf(text)));
}

function formatFields(event: Event): Line {
  const { type, ...fields } = event.type === 'activity' ? event.event : event;
  const words = Object.entries(fields).flatMap(([name, value]) => {
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
      return value.length === 0 ? [] : [`${name} ${formatList(value.map(String))}`];
    return name === 'state' || name === 'task' || typeof value === 'object' ? [] : [`${name} ${value}`];
  });
  const name = event.type === 'activity' ? type : factName(event);
  return line('dim', [name, ...words].join('  '), 2);
}

const formats: Readonly<Record<string, FormatOf<Fact> | undefined>> = {
  ...carryFormats,
  ...controlFormats,
  ...dialogueFormats,
  ...forgeFormats,
  ...guardFormats,
  ...reviewFormats,
  ...runFormats,
  ...sessionFormats,
  ...taskFormats,
  ...workFormats,
} as Readonly<Record<string, FormatOf<Fact>>>;

/** Reviewers and lanes speak concurrently: each line says whose it is. */
function nameSpeaker(context: RenderContext, event: Event & OfLane, lines: readonly Line[]): readonly Line[] {
  const reviewer = event.type === 'activity' ? findSession(context, event.session)?.reviewer : undefined;
  if (reviewer !== undefined) return lines.map((each) => prefixLine(each, `${reviewer}: `));
  if (event.lane === undefined) return lines;
  const task = ('task' in event ? event.task : undefined) ?? taskIn(context, event);
  if (task === undefined) return lines;
  // A line that begins with its task needs no speaker.
  const isNamed = ({ text, indent }: Line) =>
    indent === 0 && text.replace(/^[^\w] /u, '').startsWith(`Task ${task}`);
  return lines.map((each) =>
    isNamed(each)
      ? each
      : { ...prefixLine(each, `${speakerOf(task)}${'  '.repeat(each.indent)}`), indent: 0 },
  );
}

/** The last that began there; events about a lane itself belong to none. */
function taskIn({ state }: RenderContext, { type, lane }: Event & OfLane): string | undefined {
  const starts = [...(state?.tasks.values() ?? [])].flatMap(({ start }) =>
    start && start.lane === lane ? start : [],
  );
  return type === 'lane' ? undefined : starts.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1)?.task;
}

/** Shown even in quiet mode: what ends, waits, fails or needs a person. */
export function isLoud(event: Event): boolean {
  if (event.type === 'noticed') return event.code === 'trust-narrowed';
  if (event.type === 'work' && event.state === 'ended') return event.fix === undefined;
  if (event.type === 'intervention') return event.kind === 'tick';
  return loud.has(factName(event)) && !(event.type === 'task-set-aside' && event.as === 'open');
}

const loud: ReadonlySet<string> = new Set(
  (
    'task-closed task-set-aside stuck waiting budget-reached paused opinion-missing stage-ended request ' +
    'ci comment replan-ended dialogue-asked dialogue-written carry-failed carry-fenced run-ended'
  ).split(' '),
);
