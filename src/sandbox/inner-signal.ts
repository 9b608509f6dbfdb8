// Signals for a program behind a wall, bubblewrap: they go to what runs inside. The wall would end at once, and leave it no
// time.
import { sleep } from '../process/clock.ts';
import type { Spawned } from '../process/spawn.ts';
import type { Mark, Sweep } from '../process/sweep.ts';

/** How to signal the program whose wall was started: KILL ends the wall too, anything else reaches only what is inside. */
export function signalInside(wall: Spawned, mark: Mark, sweep: Sweep): Spawned['signal'] {
  let isOver = false;
  void wall.ended.then(() => {
    isOver = true;
  });
  const { pid: wallPid } = wall;
  const send = async (name: NodeJS.Signals): Promise<void> => {
    for (let tries = 0; tries < 20 && !isOver; tries += 1) {
      const found = await sweep.find(mark, wallPid);
      const inside = found.filter(({ pid, command }) => pid !== wallPid && !isWall(command));
      if (inside.length > 0) return sweep.signal(inside, name);
      // A program that was just started may not be visible yet.
      await sleep(50);
    }
  };
  return (name) => {
    if (name === 'SIGKILL' || wallPid === undefined) wall.signal(name);
    else void send(name);
  };
}

function isWall(command: string): boolean {
  return /^(?:\S*\/)?bwrap\s/.test(command);
}
