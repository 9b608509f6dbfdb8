// Shells that wait to become the programs which are started next. To start a program Node must copy the memory map of
// all it holds, and stands still for it: 4 to 7 ms for pawl's [ran]. A shell that waits already is told what to become
// in a moment, and stays the same process. So spares are made while pawl waits for something else anyway.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type DeathPrefix, findDeathPrefix } from './death.ts';
import { setIdle } from './idle.ts';
import { type Become, becomeScript } from './spare-text.ts';

/** Programs in waiting. */
export interface Spares {
  /** Makes one more, if one is missing, in the loop's next turn: to be called where pawl begins to wait. */
  fill(): void;
  /** A process that becomes the program now, and is then replaced: leader of a session, tied to pawl's death; what it reads goes into its stream 3. Undefined where none waits or a shell cannot say it. */
  take(program: Become): ChildProcess | undefined;
  /** Lets those that wait end; from then on there are none. */
  close(): void;
}

/** One for now, and one in case there is nothing to wait for in between. */
const mostSpares = 2;

/** The one shell that hands on an environment as it was told, with nothing of its own in it. */
const shell = '/bin/dash';

/** None are made where there is no dash. `deathPrefix`: default, this system's. */
export function createSpares(options: Readonly<{ deathPrefix?: DeathPrefix }> = {}): Spares {
  return new SparePool(options.deathPrefix);
}

class SparePool implements Spares {
  readonly #prefix: DeathPrefix | undefined;
  readonly #waiting = new Set<ChildProcess>();
  #isFilling = false;
  #isOpen = existsSync(shell);

  constructor(prefix: DeathPrefix | undefined) {
    this.#prefix = prefix;
  }

  fill(): void {
    if (!this.#isOpen || this.#isFilling || this.#waiting.size >= mostSpares) return;
    this.#isFilling = true;
    setImmediate(() => {
      this.#isFilling = false;
      if (this.#isOpen) this.#make();
    }).unref();
  }

  take(program: Become): ChildProcess | undefined {
    const [spare] = this.#waiting;
    const script = becomeScript(program);
    if (!spare || script === undefined) return undefined;
    this.#waiting.delete(spare);
    setIdle(spare, false);
    spare.stdin?.end(script);
    if (program.input === 'closed') spare.stdio[3]?.destroy();
    this.fill();
    return spare;
  }

  close(): void {
    this.#isOpen = false;
    for (const spare of this.#waiting) spare.stdin?.end();
    this.#waiting.clear();
  }

  #make(): void {
    const prefix = this.#prefix ?? findDeathPrefix();
    const [file = shell, ...args] = [...prefix, shell, '-s', 'pawl-spare'];
    // PATH is unset before it becomes anything; a process without any variable looks like one in the middle of its exec.
    const spare: ChildProcess = spawn(file, args, {
      cwd: '/',
      env: { PATH: '' },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const lose = () => this.#waiting.delete(spare);
    spare.on('error', lose);
    spare.once('exit', lose);
    for (const stream of spare.stdio) stream?.on('error', () => {});
    if (spare.pid === undefined) return;
    setIdle(spare, true);
    this.#waiting.add(spare);
  }
}
