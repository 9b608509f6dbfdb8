// The keys of a run on a terminal: p, s, r, q and ?, besides Ctrl-C, Ctrl-Z and Ctrl-\.
import type { KeyDeed, Typing } from '../control/key.ts';
import { type Keys, openKeys, type RawInput } from '../control/keyboard.ts';
import type { ControlCommand } from '../control/request.ts';
import { Disposal } from '../disposal.ts';
import { applyCommand } from '../phase/steer/steer.ts';
import type { Place } from '../place/place.ts';
import type { Terminal } from '../report/terminal/terminal.ts';
import { type Line, line } from '../report/text/line.ts';
import { type CliContext, isSet } from './context.ts';

/** Keys count until it is disposed. */
export type KeyListener = Disposable &
  Readonly<{
    /** Lets the person type the waiting task's answer; false: stops that. */
    askForAnswer(isAsked: boolean): void;
    /** Leaves keyboard and screen to another question. */
    aside<T>(ask: () => Promise<T>): Promise<T>;
    /** Says once which keys there are; nothing if none count. */
    tell(): void;
  }>;

const keyLine = line('dim', 'Keys: p pause · s steer · a answer · r retry now · q stop · ? help');

const keyHelp: readonly Line[] = [
  line('head', 'Keys'),
  line('plain', 'p   pause after the current session’s turn; press again to continue', 1),
  line('plain', 's   a note for the next session        S   for the running one, at once', 1),
  line('plain', 'r   retry now, where the run waits      q   stop; the same command resumes', 1),
  line('plain', 'a   answers the task that asks', 1),
  line('plain', 'Ctrl-C stops, twice at once · Ctrl-Z suspends pawl · Ctrl-\\ pauses', 1),
  line('dim', 'from any other terminal: pawl pause, continue, steer, skip, retry, stop', 1),
];

/** Does nothing unless input and output are a person's terminal. */
export function listenToKeys(context: CliContext, place: Place, screen: Terminal | undefined): KeyListener {
  const { job } = context;
  const stack = new Disposal();
  let untold: readonly Line[] = [];
  const tell = () => {
    screen?.print(untold);
    untold = [];
  };
  const listening: KeyListener = {
    tell,
    askForAnswer: () => {},
    aside: (ask) => ask(),
    [Symbol.dispose]: () => stack[Symbol.dispose](),
  };
  const steer = (command: ControlCommand) => {
    const reply = applyCommand(place, command, context);
    if (!reply.ok) screen?.print([line('warn', [reply.error, reply.hint].filter(Boolean).join('; '))]);
  };
  stack.use(job.on('quit', () => steer({ do: 'pause', now: false })));
  // Who answers a planner needs the keys.
  if (place.run.options.planning || !screen || !isForPerson(context)) return listening;
  let asking: string | undefined;
  const show = (typing: Typing | undefined) => {
    // Who begins to answer one task does not answer another that asks by the end.
    if (!asking || typing?.text === '') asking = askingIn(place);
    screen.ask(typing && promptOf(typing, asking));
  };
  const keys: Keys = stack.use(openKeys(context.stdin as RawInput, { deed: (deed) => take(deed), show }));
  const suspend = () => {
    keys.release();
    screen.hide();
    job.suspend();
  };
  const take = (deed: KeyDeed) => {
    // What is typed while it stops is for the shell.
    if (context.signal.aborted && deed.do !== 'interrupt' && deed.do !== 'suspend') return;
    if (deed.do === 'interrupt') return context.interrupt();
    if (deed.do === 'suspend') return suspend();
    if (deed.do === 'help') return screen.print(keyHelp);
    const command = commandOf(deed, place, asking);
    if (command) steer(command);
    else screen.print([line('warn', 'No task waits for an answer.')]);
  };
  // In the background, touching the terminal would stop pawl.
  stack.use(job.on('continue', () => (job.isForeground() ? keys.grab() : keys.release())));
  untold = [keyLine];
  const answering: Typing = { text: '', now: false, answer: true };
  const aside: KeyListener['aside'] = (ask) => withoutKeys(ask, { keys, screen });
  return { ...listening, aside, askForAnswer: (isAsked) => keys.type(isAsked ? answering : undefined) };
}

/** The first task that waits for an answer. */
function askingIn({ run }: Place): string | undefined {
  return [...run.state().tasks.values()].find(({ standing }) => standing.is === 'parked')?.id;
}

/** Undefined if nothing waits for what is said. */
function commandOf(
  deed: Exclude<KeyDeed, { do: 'interrupt' | 'suspend' | 'help' }>,
  place: Place,
  asking: string | undefined,
): ControlCommand | undefined {
  if (deed.do === 'toggle-pause')
    return place.run.state().pause ? { do: 'continue' } : { do: 'pause', now: false };
  if (deed.do !== 'say') return deed;
  return asking === undefined ? undefined : { do: 'answer', task: asking, answer: deed.text };
}

async function withoutKeys<T>(
  ask: () => Promise<T>,
  { keys, screen }: Readonly<{ keys: Keys; screen: Terminal }>,
): Promise<T> {
  keys.release();
  screen.still(true);
  try {
    return await ask();
  } finally {
    screen.still(false);
    keys.grab();
  }
}

export function isForPerson({ stdin, isTty, env, job }: CliContext): boolean {
  const input = stdin as Partial<RawInput> & { isTTY?: boolean };
  return input.isTTY === true && isTty && !isSet(env['CI']) && env['TERM'] !== 'dumb' && job.isForeground();
}

function promptOf({ text, now, answer }: Typing, asks: string | undefined) {
  const hint = '(Enter sends, Esc cancels)';
  if (answer) return { label: asks === undefined ? 'No task asks' : `Answer to task ${asks}`, text, hint };
  const label = now ? 'Note for the running session' : 'Note for the next session';
  return { label, text, hint };
}
