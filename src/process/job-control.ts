// pawl as a shell's job: whether it is in the foreground, suspending and resuming, and Ctrl-\.
import { readFileSync } from 'node:fs';
import { statFields } from './process-table.ts';

export type JobControl = Readonly<{
  /** Keys go to this process; true if the system does not say. */
  isForeground(): boolean;
  /** The whole job, as Ctrl-Z does. */
  suspend(): void;
  /** `continue`: after a stop; `quit`: at QUIT, which then does not end it. */
  on(what: 'continue' | 'quit', act: () => void): Disposable;
}>;

const signals = { continue: 'SIGCONT', quit: 'SIGQUIT' } as const;

export function jobControl(): JobControl {
  return {
    isForeground,
    // A launcher such as npx waits for pawl, the shell for the launcher.
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
