// All figures that pawl is held to, by their names on the command line.
import { measureLanes } from './lanes-time.ts';
import { measureStart } from './start-time.ts';
import { measureLongLine, measureStream } from './stream-time.ts';
import { countEffects } from './task-counts.ts';
import { measureTasks } from './task-time.ts';

/** Each measures a built pawl and tells what it found. */
export const figures = {
  start: measureStart,
  counts: countEffects,
  tasks: measureTasks,
  stream: measureStream,
  line: measureLongLine,
  lanes: measureLanes,
} as const;
