// pawl as a shell's job: whether it is in the foreground, suspending and resuming, and Ctrl-\.
import { readFileSync } from 'node:fs';
import { statFields } from './parse-process.ts';

/** What a process has to do with the shell that started it. */
export type JobControl = Readonly<{
  /** The terminal's keys are meant for this process; where the system does not say, they are. */
  isForeground(): boolean;
  /** Stops it as Ctrl-Z does, with all of its job; the shell lets it go on. */
  suspend(): void;
  /** Calls back when it goes on after a stop (`continue`), or is sent QUIT (`quit`), which then does not end it. */
  on(what: 'continue' | 'quit', act: () => void): Disposable;
}>;

const signals = { continue: 'SIGCONT', quit: 'SIGQUIT' } as const;

/** The job control of this process. */
export function jobControl(): JobControl {
  return {
    isForeground,
    // The whole group: a launcher such as npx waits for pawl, and the shell waits for the launcher.
    suspend: () => process.kill(0, 'SIGTSTP'),
    on: (what, act) => {
      const listener = () => act();
      process.on(signals[what], listener);
      return { [Symbol.dispose]: () => void process.off(signals[what], listener) };
    },
  };
}

function isForeground(): boolean {
  try {
    // State, parent, group, session, terminal, the terminal's group.
    const [, , group, , , foreground] = statFields(readFileSync('/proc/self/stat', 'utf8'));
    return group === foreground;
  } catch {
    return true;
  }
}
