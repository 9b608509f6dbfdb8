// A child that waits for work keeps no process alive; one that works does.
import type { ChildProcess } from 'node:child_process';

/** Whether pawl's loop goes on for as long as the child lives. */
export function setIdle(child: ChildProcess, isIdle: boolean): void {
  for (const held of [child, ...child.stdio] as readonly unknown[]) {
    if (isHeld(held)) held[isIdle ? 'unref' : 'ref']();
  }
}

function isHeld(value: unknown): value is { ref(): void; unref(): void } {
  return typeof value === 'object' && value !== null && 'unref' in value;
}
