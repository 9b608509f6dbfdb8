// The keys of a run on a terminal: p, s, r, q and ?, besides Ctrl-C, Ctrl-Z and Ctrl-\.
import type { KeyDeed, Typing } from '../control/key.ts';
import { type Keys, openKeys, type RawInput } from '../control/keyboard.ts';
import type { ControlCommand, ControlReply } from '../control/request.ts';
import { Disposal } from '../disposal.ts';
import type { Terminal } from '../report/terminal/terminal.ts';
import { type Line, line } from '../report/text/line.ts';
import { type CliContext, isSet } from './context.ts';

/** `take` does what is asked. */
export type Steered = Readonly<{
  take(command: ControlCommand): ControlReply;
  isPaused(): boolean;
  /** The first task that waits for an answer. */
  asks(): string | undefined;
}>;

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
export function listenToKeys(
  context: CliContext,
  steered: Steered,
  { screen, hasKeys }: Readonly<{ screen: Terminal | undefined; hasKeys: boolean }>,
): KeyListener {
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
    const reply = steered.take(command);
    if (!reply.ok) screen?.print([line('warn', [reply.error, reply.hint].filter(Boolean).join('; '))]);
  };
  stack.use(job.on('quit', () => steer({ do: 'pause', now: false })));
  if (!hasKeys || !screen || !isForPerson(context)) return listening;
  const show = (typing: Typing | undefined) => screen.ask(typing && promptOf(typing, steered.asks()));
  const keys: Keys = stack.use(openKeys(context.stdin as RawInput, { deed: (deed) => take(deed), show }));
  const suspend = () => {
    keys.release();
    screen.hide();
    job.suspend();
  };
  const take = (deed: KeyDeed) => {
    // What is typed while it stops is for the shell.
    if (context.signal.aborted && deed.do !== 'interrupt' && deed.do !== 'suspend') return;
    const command = commandOf(deed, { isPaused: steered.isPaused(), asks: steered.asks() });
    if (deed.do === 'answer' && !command) screen.print([line('warn', 'No task waits for an answer.')]);
    else if (command) steer(command);
    else if (deed.do === 'interrupt') context.interrupt();
    else if (deed.do === 'suspend') suspend();
    else screen.print(keyHelp);
  };
  // In the background, touching the terminal would stop pawl.
  stack.use(job.on('continue', () => (job.isForeground() ? keys.grab() : keys.release())));
  untold = [keyLine];
  const answering: Typing = { text: '', now: false, answer: true };
  const aside: KeyListener['aside'] = (ask) => withoutKeys(ask, { keys, screen });
  return { ...listening, aside, askForAnswer: (isAsked) => keys.type(isAsked ? answering : undefined) };
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

function commandOf(
  deed: KeyDeed,
  { isPaused, asks }: Readonly<{ isPaused: boolean; asks: string | undefined }>,
): ControlCommand | undefined {
  switch (deed.do) {
    case 'answer':
      return asks === undefined ? undefined : { do: 'answer', task: asks, answer: deed.text };
    case 'note':
      return { do: 'steer', text: deed.text, now: deed.now };
    case 'toggle-pause':
      return isPaused ? { do: 'continue' } : { do: 'pause', now: false };
    case 'pause':
      return { do: 'pause', now: false };
    case 'continue':
    case 'stop':
      return { do: deed.do };
    case 'interrupt':
    case 'suspend':
    case 'help':
      return undefined;
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
