// The scrolling view: permanent lines that can be copied and, on a terminal, a status line below.
import { defined } from '../../defined.ts';
import type { Event, Stamped } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { foldContext } from '../events/format-check.ts';
import { formatEvent, isLoud } from '../events/format-event.ts';
import type { RenderContext } from '../events/render-context.ts';
import { briefLines, shortReceipt } from '../receipt/receipt.ts';
import type { Reporter } from '../reporter.ts';
import { formatClock } from '../text/figure.ts';
import { emptyLine, type Line, paintLine, wrapLine } from '../text/line.ts';
import { headerLines, headerTypes } from './header.ts';
import { type Prompt, StatusBar, type StatusBarOptions } from './status-bar.ts';

export type Level = 'quiet' | 'normal' | 'verbose';

export type TerminalOptions = StatusBarOptions &
  Readonly<{
    level: Level;
    /** The time of day before each line. Default: if lines are wide, or do not go to a terminal. */
    times?: boolean | undefined;
    /** Shows past events, including the header of a refused start. */
    isReplay?: boolean;
    /** Folder of all runs, for the reader. Default `.git/pawl/runs`. */
    runs?: string;
  }>;

export type Terminal = Reporter &
  Readonly<{
    print(lines: readonly Line[]): void;
    /** Takes in what happened before, without showing it. */
    recall(event: Stamped<Event>, state: RunState): void;
    ask(prompt: Prompt | undefined): void;
    hide(): void;
    still(isStill: boolean): void;
  }>;

export function createTerminal(options: TerminalOptions): Terminal {
  const status = new StatusBar(options);
  const { level, runs } = options;
  let context: RenderContext = { verbose: level === 'verbose', ...defined({ runs }) };
  let hasWorked = false;
  const write = createWriter(options, status);
  const start = holdStart(options, write);
  const recall = (event: Stamped<Event>, state: RunState) => {
    context = foldContext(context, event);
    status.fold(event, state);
  };
  return {
    name: 'terminal',
    report: (event, state, before) => {
      const known = { ...context, state: before };
      recall(event, state);
      hasWorked ||= working.has(event.type);
      if (event.type === 'run-ended' && event.exit !== 0 && !options.isReplay) start.drop();
      else if (!isOpening(event)) start.show();
      const isShown = level !== 'quiet' || isLoud(event);
      const shown = { lines: isShown ? formatEvent(event, known) : [], at: event.at };
      if (!start.hold(event, shown, state)) return write(shown);
      status.refresh();
    },
    finish: (state) => {
      const isBrief = !hasWorked && state.course.ended?.exit !== 0;
      write({ lines: isBrief ? briefLines(state) : [emptyLine, ...shortReceipt(state, { endTold: true })] });
    },
    print: (lines) => {
      start.show();
      write({ lines });
    },
    recall,
    ask: (prompt) => status.ask(prompt),
    hide: () => status.hide(),
    still: (isStill) => status.still(isStill),
    close: () => {
      start.show();
      status.close();
    },
  };
}

type PrintedLines = Readonly<{ lines: readonly Line[]; at?: string }>;

/** A start may still be refused, and its first facts are one header. */
function holdStart({ level }: TerminalOptions, write: (shown: PrintedLines) => void) {
  let held: PrintedLines[] | undefined = [];
  let first: Readonly<{ at: string; state: RunState }> | undefined;
  return {
    /** Whether it is held; what the header says is not said twice. */
    hold(event: Stamped<Event>, shown: PrintedLines, state: RunState): boolean {
      if (held === undefined) return false;
      first = { at: first?.at ?? event.at, state };
      if (level !== 'normal' || !headerTypes.has(event.type)) held.push(shown);
      return true;
    },
    show(): void {
      if (held && first && level !== 'quiet') write({ lines: headerLines(first.state), at: first.at });
      for (const shown of held ?? []) write(shown);
      held = undefined;
    },
    drop(): void {
      held = undefined;
    },
  };
}

const wideColumns = 100;

function createWriter(options: TerminalOptions, status: StatusBar): (shown: PrintedLines) => void {
  const { times, isTty, columns } = options;
  let isFirst = true;
  let wasHead = false;
  return ({ lines, at }) => {
    const [first] = lines;
    if (first === undefined) return status.refresh();
    const stamp =
      at !== undefined && (times ?? (!isTty || columns() >= wideColumns)) ? `${formatClock(at)} ` : '';
    const isHead = first.tone === 'head' && first.indent === 0;
    const gap = isHead && !wasHead && !isFirst ? '\n' : '';
    status.write(gap + lines.flatMap((line) => rowsOf(line, stamp, options)).join(''));
    isFirst = false;
    wasHead = isHead && lines.length === 1;
  };
}

const opening: ReadonlySet<Event['type']> = new Set([
  'run-started',
  'run-resumed',
  'plan-read',
  'plan-committed',
  'branch-created',
  'budgets-set',
  'noticed',
  'rescue-saved',
]);

/** A person's command comes only to a run that has begun. */
function isOpening(event: Event): boolean {
  if (event.type !== 'intervention') return opening.has(event.type);
  return event.kind === 'rerun' || event.kind === 'hand-edit' || event.kind === 'take-edit';
}

/** A start that has done something: its end is worth a receipt. */
const working: ReadonlySet<Event['type']> = new Set([
  'session-started',
  'check-started',
  'check-ended',
  'task-closed',
  'task-set-aside',
  'stage',
  'plan-archived',
]);

/** The rows of a line, each with its newline; the time is in the first. For a program, lines are not wrapped. */
function rowsOf(line: Line, stamp: string, options: TerminalOptions): readonly string[] {
  const { isTty, columns } = options;
  const rows = isTty ? wrapLine(line, columns() - stamp.length) : [line];
  const blank = ' '.repeat(stamp.length);
  return rows.map((row, at) => paintLine(row, options, row.text === '' ? '' : at === 0 ? stamp : blank));
}
