// The name of a file in a run's folder, as facts give it. A journal may come from another machine: whatever reads a fact may
// join the name to the folder.
import { z } from 'zod';

/** A relative name that stays in the folder. */
export const fileInRun = z
  .string()
  .max(500)
  .regex(/^(?![/\\])(?!.*(?:^|[/\\])\.\.?(?:[/\\]|$))[^\p{Cc}]+$/u, 'not a name in the run folder');
