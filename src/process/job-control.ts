// pawl as a shell's job: whether it is in the foreground, suspending and resuming, and Ctrl-\.
import { readFileSync } from 'node:fs';
import { statFields } from './parse-process.ts';

export type JobControl = Readonly<{
  /** Keys typed in the terminal go to this process; true if the system does not say. */
  isForeground(): boolean;
  /** Stops the whole job as Ctrl-Z does; the shell lets it continue. */
  suspend(): void;
  /** Calls back when it continues after a stop (`continue`), or is sent QUIT (`quit`), which then does not end it. */
  on(what: 'continue' | 'quit', act: () => void): Disposable;
}>;

const signals = { continue: 'SIGCONT', quit: 'SIGQUIT' } as const;

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
