// Runs short programs from a few small shells. To start a program the system copies the memory map of whoever starts it,
// which makes Node stand still for 1 to 4 ms each time and a shell for 0.3 ms [ran]. It knows no git and no clock.

import { randomBytes } from 'node:crypto';
import { type ErrandEnd, type LaunchLimits, LaunchShell, type Script } from './launch-shell.ts';
import { type Errand, errandScript, nonceBytes } from './launch-text.ts';

/** Runs programs until it is closed. */
export interface Launcher {
  /** Runs programs one after the other, each to its end, up to the first that fails. Where no shell can be told to, it returns undefined at once and has done nothing: start them in another way. */
  launch(errands: readonly Errand[], limits: LaunchLimits): Promise<ErrandEnd> | undefined;
  /** Lets its shells end, and waits for those that are idle; from then on it launches nothing. */
  close(): Promise<void>;
}

/** Programs at one time; more wait their turn. */
const mostShells = 4;

/** Longer scripts are not worth their quoting. */
const mostBytes = 256 * 1024;

/** A launcher whose programs get `env` and what an errand adds to it. Its shells end with pawl, whose pipe they read. */
export function createLauncher(env: Readonly<Record<string, string>>): Launcher {
  return new ShellPool(env);
}

class ShellPool implements Launcher {
  readonly #env: Readonly<Record<string, string>>;
  readonly #idle: LaunchShell[] = [];
  readonly #waiting: ((shell: LaunchShell) => void)[] = [];
  #shells = 0;
  #isOpen = true;

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  launch(errands: readonly Errand[], limits: LaunchLimits): Promise<ErrandEnd> | undefined {
    const nonce = randomBytes(nonceBytes / 2).toString('hex');
    const text = this.#isOpen ? errandScript(errands, this.#env, nonce) : undefined;
    if (text === undefined || text.length > mostBytes) return undefined;
    return this.#run({ text, nonce, count: errands.length }, limits);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all(this.#idle.map((shell) => shell.close()));
  }

  async #run(script: Script, limits: LaunchLimits): Promise<ErrandEnd> {
    const shell = await this.#take();
    try {
      return await shell.run(script, limits);
    } finally {
      this.#give(shell);
    }
  }

  #take(): LaunchShell | Promise<LaunchShell> {
    for (let free = this.#idle.pop(); free; free = this.#idle.pop()) {
      if (free.isAlive) return free;
      this.#shells -= 1;
    }
    if (this.#shells < mostShells) return this.#make();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(shell: LaunchShell): void {
    const next = this.#waiting.shift();
    if (shell.isAlive && next) next(shell);
    else if (shell.isAlive && this.#isOpen) this.#idle.push(shell);
    else {
      void shell.close();
      this.#shells -= 1;
      if (next) next(this.#make());
    }
  }

  #make(): LaunchShell {
    this.#shells += 1;
    return new LaunchShell(this.#env, () => {
      this.#isOpen = false;
    });
  }
}
